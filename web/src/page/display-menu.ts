import { type TemplateResult, html } from 'lit';
import { FACES, type Faces } from '../board/pieces.js';
import { SessionElement } from './element.js';
import type { Theme } from './storage.js';

const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];

/** The choices of how the page looks and sounds. */
export class DisplayMenu extends SessionElement {
  readonly #onPress = (event: Event) => {
    const menu = this.querySelector('details');
    if (menu?.open && !event.composedPath().includes(menu)) menu.open = false;
  };

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('pointerdown', this.#onPress);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('pointerdown', this.#onPress);
  }

  protected override render(): TemplateResult {
    const { session, words } = this;
    const { display } = words;
    const choice = <T extends string>(name: string, options: readonly T[], now: T, text: (option: T) => string, choose: (option: T) => void) =>
      html`<label class="field"><span>${name}</span><select @change=${(event: Event) => choose((event.target as HTMLSelectElement).value as T)}>
        ${options.map((option) => html`<option value=${option} ?selected=${option === now}>${text(option)}</option>`)}</select></label>`;
    const box = (name: string, on: boolean, change: (on: boolean) => void) =>
      html`<label class="field"><input type="checkbox" .checked=${on} @change=${(event: Event) => change((event.target as HTMLInputElement).checked)}> ${name}</label>`;
    return html`<details class="menu" @keydown=${this.#onKey}><summary class="button">${display.title}</summary><div class="sheet">
      ${choice(display.language, ['ja', 'en'] as const, session.language, (language) => ({ ja: '日本語', en: 'English' })[language], (language) => session.setLanguage(language))}
      ${choice(display.theme, THEMES, session.theme, (theme) => display.themes[theme], (theme) => session.setTheme(theme))}
      ${choice<Faces>(display.faces, FACES, session.faces, (faces) => display.faceNames[faces], (faces) => session.setFaces(faces))}
      ${box(display.coordinates, session.coordinates, (shown) => session.setCoordinates(shown))}
      ${box(display.sound, session.sound, (on) => session.setSound(on))}
      <button type="button" @click=${() => document.querySelector('komabako-help-dialog')?.open()}>${words.help}</button>
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
