import { type TemplateResult, html } from 'lit';
import { FACES } from '../board/pieces.js';
import { SessionElement } from './element.js';
import { THEMES } from './storage.js';

/** The choices of how the page looks and sounds. */
export class DisplayMenu extends SessionElement {
  constructor() {
    super();
    // The menu is never removed.
    document.addEventListener('pointerdown', (event) => {
      const menu = this.querySelector('details');
      if (menu?.open && !event.composedPath().includes(menu)) menu.open = false;
    });
  }

  protected override render(): TemplateResult {
    const { session, words } = this;
    const { display } = words;
    const { theme, faces, coordinates, sound } = session.choices;
    const choice = <T extends string>(name: string, options: readonly T[], now: T, text: (option: T) => string, choose: (option: T) => void) =>
      html`<label class="field"><span>${name}</span><select @change=${this.entered(({ value }) => choose(value as T))}>
        ${options.map((option) => html`<option value=${option} ?selected=${option === now}>${text(option)}</option>`)}</select></label>`;
    const box = (name: string, on: boolean, change: (on: boolean) => void) =>
      html`<label class="field"><input type="checkbox" .checked=${on} @change=${this.entered(({ checked }) => change(checked))}> ${name}</label>`;
    return html`<details class="menu" @keydown=${this.#onKey}><summary class="button">${display.title}</summary><div class="sheet">
      ${choice(display.language, ['ja', 'en'] as const, session.language, (language) => ({ ja: '日本語', en: 'English' })[language], (language) => session.setLanguage(language))}
      ${choice(display.theme, THEMES, theme, (option) => display.themes[option], (option) => session.choose({ theme: option }))}
      ${choice(display.faces, FACES, faces, (option) => display.faceNames[option], (option) => session.choose({ faces: option }))}
      ${box(display.coordinates, coordinates, (on) => session.choose({ coordinates: on }))}
      ${box(display.sound, sound, (on) => session.choose({ sound: on }))}
      <button @click=${() => document.querySelector('komabako-help-dialog')?.open()}>${words.help}</button>
    </div></details>`;
  }

  #onKey(event: KeyboardEvent): void {
    const menu = event.currentTarget as HTMLDetailsElement;
    if (event.key !== 'Escape' || !menu.open) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  }
}

customElements.define('komabako-display-menu', DisplayMenu);
