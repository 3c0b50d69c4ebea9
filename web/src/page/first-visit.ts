import { type TemplateResult, html } from 'lit';
import { pictureAddress } from '../board/picture.js';
import { parseSfen } from '../model/sfen.js';
import { parseSquare } from '../model/square.js';
import { SessionElement } from './element.js';

/** A mate in five. */
const PROBLEM = '1+n7/9/1k7/s8/3pB4/9/9/9/9 b RGSrb3g2s3n4l17p 1';
/** The first 300 records of data/sample.psv. */
const SAMPLE = new URL('../sample.psv.zst', import.meta.url);
/** The number of these records by twenties of plies. */
const PLIES = [56, 60, 60, 46, 20, 19, 20, 19];
/** The first bits of the start position in SSPFv1, for the picture of a card. */
const BITS = '01010001011110001111010001011010';

/** Three examples for a new visitor, until the first own action. */
export class FirstVisit extends SessionElement {
  protected override render(): TemplateResult {
    const { words, session } = this;
    const { welcome } = words;
    const card = (name: string, text: string, picture: TemplateResult, act: () => void) =>
      html`<li><button class="card" @click=${act}>${picture}<span><b>${name}</b> <span class="hint">${text}</span></span></button></li>`;
    const problem = pictureAddress(parseSfen(PROBLEM)!, { ranks: words.ranks, faces: session.choices.faces, flipped: false });
    const most = Math.max(...PLIES);
    return html`<section aria-label=${welcome.title}><h3>${welcome.title}</h3><p class="hint">${welcome.text}</p><ul class="cards">
      ${card(welcome.solve, welcome.solveText, html`<img src=${problem} alt="" width="480" height="422">`, () => session.solve(PROBLEM))}
      ${card(welcome.bits, welcome.bitsText, html`<span class="card-bits" aria-hidden="true">${[...BITS].map((bit) => html`<i>${bit}</i>`)}</span>`, () => this.#showBits())}
      ${card(welcome.files, welcome.filesText, html`<svg class="card-bars" viewBox="0 0 80 70" aria-hidden="true"><path d=${PLIES.map((count, index) =>
        `M${index * 10 + 1} 70v${-(66 * count) / most}h8V70z`).join('')}></path></svg>`, () => void this.#openSample())}</ul></section>`;
  }

  #showBits(): void {
    this.session.setTab('bits');
    this.session.pin({ at: 'board', square: parseSquare('7g')! });
  }

  async #openSample(): Promise<void> {
    const response = await fetch(SAMPLE);
    if (response.ok) this.session.openRecords(new File([await response.blob()], 'sample.psv.zst'), true);
  }
}

customElements.define('komabako-first-visit', FirstVisit);
