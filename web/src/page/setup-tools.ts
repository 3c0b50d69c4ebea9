import { type TemplateResult, html } from 'lit';
import { COLORS, HAND_KINDS, type Color, type HandKind } from '../model/piece.js';
import { HANDICAPS, type HandicapName, handicap, mateProblem } from '../model/presets.js';
import { EMPTY, type Setup, boxToHand, changeHand, handCount, inBox, mirror, turnRound, withPly, withSide } from '../model/setup.js';
import { parseSfen, START_SFEN } from '../model/sfen.js';
import { SessionElement } from './element.js';

/** Set-up mode's tools: presets, whole-board changes, side to move, ply, and steppers for the hands. */
export class SetupTools extends SessionElement {
  #edit(change: (setup: Setup) => Setup): void {
    this.session.edit(change(this.session.position));
  }

  #step(color: Color, kind: HandKind, by: number): void {
    const edit = changeHand(this.session.position, color, kind, by);
    if ('setup' in edit) this.session.edit(edit.setup);
  }

  protected override render(): TemplateResult {
    const { words } = this;
    const setup = this.session.position;
    const button = (text: string, act: () => void) => html`<button @click=${act}>${text}</button>`;
    return html`<div class="tools">
        <p class="hint">${words.setupHint}</p>
        <div class="row" role="group" aria-label=${words.preset}>
          ${button(words.presetStart, () => this.session.edit(parseSfen(START_SFEN)!))}
          ${button(words.presetTsume, () => this.session.edit(mateProblem()))}
          ${button(words.presetEmpty, () => this.session.edit(EMPTY))}
          <select aria-label=${words.presetHandicap} .value=${''} @change=${this.entered(({ value }) => value && this.session.edit(handicap(value as HandicapName)))}>
            <option value="">${words.presetHandicap}</option>
            ${HANDICAPS.map(([name]) => html`<option value=${name}>${words.handicap(name)}</option>`)}
          </select>
        </div>
        <div class="row" role="group" aria-label=${words.arrange}>
          ${button(words.restToWhite, () => this.#edit((now) => boxToHand(now, 'white')))}
          ${button(words.mirror, () => this.#edit(mirror))}
          ${button(words.turnRound, () => this.#edit(turnRound))}
          ${button(words.clear, () => this.#edit((now) => ({ ...EMPTY, side: now.side, ply: now.ply })))}
        </div>
        <div class="row fields">
          <fieldset class="segmented"><legend>${words.sideToMove}</legend>
            ${COLORS.map((color) => html`<label><input type="radio" name="side" .checked=${setup.side === color}
              @change=${() => this.#edit((now) => withSide(now, color))}><span>${words.ownerMark(color)}</span></label>`)}
          </fieldset>
          <label class="field">${words.ply}
            <input type="number" min="1" max="9999" .value=${String(setup.ply)} @change=${this.entered((box) => {
              const ply = Number(box.value);
              if (Number.isInteger(ply) && ply >= 1 && ply <= 9999) this.#edit((now) => withPly(now, ply));
              box.value = String(this.session.position.ply);
            })}></label>
        </div>
        <details><summary>${words.hands}</summary><table class="hands">
          <thead><tr><td></td>${COLORS.map((color) => html`<th scope="col">${words.ownerMark(color)}</th>`)}<th scope="col">${words.box}</th></tr></thead>
          <tbody>${HAND_KINDS.map((kind) => html`<tr><th scope="row">${words.pieceKind(kind)}</th>
            ${COLORS.map((color) => this.#stepper(setup, color, kind))}<td class="number">${inBox(setup, kind)}</td></tr>`)}</tbody>
        </table></details>
      </div>`;
  }

  #stepper(setup: Setup, color: Color, kind: HandKind): TemplateResult {
    const name = `${this.words.color(color)} ${this.words.pieceKind(kind)}`;
    const count = handCount(setup, color, kind);
    return html`<td><span class="stepper">
      <button aria-label=${this.words.fewer(name)} ?disabled=${count === 0} @click=${() => this.#step(color, kind, -1)}>−</button>
      <output>${count}</output>
      <button aria-label=${this.words.more(name)} ?disabled=${inBox(setup, kind) === 0} @click=${() => this.#step(color, kind, 1)}>+</button>
    </span></td>`;
  }
}

customElements.define('komabako-setup-tools', SetupTools);
