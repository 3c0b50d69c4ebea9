import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import { TABS, type Tab } from '../model/address.js';
import type { BoardChange, KomabakoBoard, Mode } from '../board/komabako-board.js';
import '../board/komabako-board.js';
import { parseSfen } from '../model/sfen.js';
import type { Place, Refusal } from '../model/setup.js';
import { NARROW, SessionElement } from './element.js';
import type { Source } from './source.js';
import './display-menu.js';
import './setup-tools.js';
import './game-tab.js';
import './moves-tab.js';
import './bits-tab.js';
import './solve-tab.js';
import './files-tab.js';
import './help-dialog.js';
import './paste-dialog.js';
import './copy-dialog.js';

/** The distance for which the wheel makes a step: touchpads send many small ones. */
const NOTCH = 40;

/** The page: the board, and beside it (below it on a phone) one tab. */
export class KomabakoPage extends SessionElement {
  constructor() {
    super();
    // The page is never removed.
    NARROW.addEventListener('change', () => this.session.dispatchEvent(new Event('change')));
    document.addEventListener('keydown', (event) => this.#key(event));
    document.addEventListener('dragover', (event) => {
      if (!isField(event.composedPath()[0]) || event.dataTransfer?.types.includes('Files')) event.preventDefault();
    });
    // A focused button may be disabled or removed by its own work: then the focus goes to the nearest other one.
    let around: Element[] = [];
    document.addEventListener('focusin', (event) => (around = event.composedPath() as Element[]));
    new MutationObserver(() => {
      const [lost] = around;
      if (!lost || (lost.isConnected && !lost.matches(':disabled'))) return;
      const next = around.find((one) => one.isConnected && one.querySelector('button:enabled'));
      next?.querySelector<HTMLElement>('button:enabled')?.focus();
    }).observe(document, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    // A file or a text anywhere, except a text in a field.
    const take = (event: Event, data: DataTransfer | null) => {
      const source = filesOf(data) ?? (isField(event.composedPath()[0]) ? '' : data?.getData('text'));
      if (!source) return;
      event.preventDefault();
      void this.#open(source);
    };
    document.addEventListener('drop', (event) => take(event, event.dataTransfer));
    document.addEventListener('paste', (event) => take(event, event.clipboardData));
  }

  protected override willUpdate(_: PropertyValues): void {
    const root = document.documentElement;
    // Setting an attribute to the value it has makes the browser compute the style of the whole page again.
    if (root.lang !== this.session.language) root.lang = this.session.language;
    if (root.dataset['theme'] !== this.session.choices.theme) root.dataset['theme'] = this.session.choices.theme;
    this.dataset['module'] = this.session.moduleState;
    this.dataset['workers'] = this.session.workersReady ? 'ready' : 'starting';
    document.title = this.words.documentTitle;
  }

  protected override render(): TemplateResult {
    const { session } = this;
    const layout = session.mode === 'setup' ? 'setup' : Object.keys(session.names).length > 0 ? 'named' : '';
    return html`${this.#header()}
      <main class=${layout} data-tab=${session.tab}>
        <div class="board-side">${this.#board()}</div>
        <div class="tab-side">${this.#notice()}
          ${session.mode === 'setup' ? html`<komabako-setup-tools .session=${session}></komabako-setup-tools>` : nothing}
          ${this.#tabs()}
          <footer><span>${navigator.serviceWorker?.controller ? this.words.offlineReady : nothing} ${this.words.staysHere}</span>
            ${session.reload ? html`<span role="status">${this.words.newVersion} <button @click=${session.reload}>${this.words.reload}</button></span>` : nothing}</footer></div>
      </main>
      <komabako-paste-dialog .session=${session}></komabako-paste-dialog>
      <komabako-copy-dialog .session=${session}></komabako-copy-dialog>
      <komabako-help-dialog .session=${session}></komabako-help-dialog>`;
  }

  #header(): TemplateResult {
    const { session, words } = this;
    return html`<header>
      <h1><span lang="ja">駒箱</span>${session.language === 'en' ? html` <small>Komabako</small>` : nothing}</h1>
      <fieldset class="segmented"><legend class="hidden">${words.modeName}</legend>
        ${(['play', 'setup'] as const).map((mode) => html`<label><input type="radio" name="mode" .checked=${session.mode === mode}
          @change=${() => session.setMode(mode)}><span>${mode === 'play' ? words.modePlay : words.modeSetup}</span></label>`)}
      </fieldset>
      <div class="toolbar">
        ${this.#tool('↶', words.undo, () => session.undo(), !session.canUndo)}
        ${this.#tool('↷', words.redo, () => session.redo(), !session.canRedo)}
        ${this.#tool('⇅', words.flip, () => session.flip())}
        <button @click=${() => this.querySelector('komabako-paste-dialog')?.open()}>${words.open}</button>
        <button @click=${() => this.querySelector('komabako-copy-dialog')?.open()}>${words.copy}</button>
      </div>
      <komabako-display-menu .session=${session}></komabako-display-menu>
    </header>`;
  }

  #board(): TemplateResult {
    const { session } = this;
    const { missing } = session;
    const checked = session.legal?.standing.check ? [session.kingSquare(session.position.side)].filter((square) => square !== null) : [];
    return html`${missing ? html`<div class="no-board" role="status"><p>${this.words.noPosition}</p><p>${missing.error ? this.words.sentenceOf(missing.error) : nothing}</p></div>` : nothing}
      <komabako-board ?hidden=${missing !== null} .sfen=${session.sfen} .mode=${session.mode} lang=${session.language} .flipped=${session.flipped}
        .faces=${session.choices.faces} .coordinates=${session.choices.coordinates ? 'yes' : 'no'} .narrow=${NARROW.matches} .names=${session.names}
        .legal=${session.legalUsi} .lastMove=${session.mode === 'play' ? session.lastMove : null} .checked=${checked} .marks=${session.highlight.places}
        .arrow=${session.highlight.arrow} @komabako-change=${this.#onChange} @komabako-hover=${this.#onHover}
        @komabako-refused=${this.#onRefused} @wheel=${this.#onWheel}></komabako-board>`;
  }

  /** A button with a symbol and its name; in a narrow window there is only room for the symbol. */
  #tool(sign: string, name: string, act: () => void, off = false): TemplateResult {
    return html`<button title=${name} ?disabled=${off} @click=${act}><span aria-hidden="true">${sign}</span> <span class="tool-name">${name}</span></button>`;
  }

  #notice(): TemplateResult | typeof nothing {
    const { notice } = this.session;
    // What is refused the board says itself, each time.
    const isSaid = Object.values(this.words.refusal).includes(notice ?? '');
    return notice ? html`<p class="fault" role=${isSaid ? 'note' : 'alert'}>${notice}</p>` : nothing;
  }

  #tabs(): TemplateResult {
    const { session, words } = this;
    return html`<div role="tablist" aria-label=${words.tabsName} @keydown=${this.#onTabKey}>
        ${TABS.map((tab) => html`<button role="tab" id="tab-${tab}" aria-controls="panel" aria-selected=${session.tab === tab}
          tabindex=${session.tab === tab ? 0 : -1} @click=${() => session.setTab(tab)}>${words.tabs[tab]}</button>`)}
      </div>
      <div role="tabpanel" id="panel" aria-labelledby="tab-${session.tab}" tabindex="-1">
        <h2 class="hidden">${words.tabs[session.tab]}</h2>${this.#panel(session.tab)}
        ${/* A search and an open file survive a visit to another tab. */ nothing}
        <komabako-solve-tab data-tab="solve" ?hidden=${session.tab !== 'solve'} .session=${session}></komabako-solve-tab>
        <komabako-files-tab data-tab="files" ?hidden=${session.tab !== 'files'} .session=${session}></komabako-files-tab></div>`;
  }

  #panel(tab: Tab): TemplateResult | typeof nothing {
    switch (tab) {
      case 'board':
        return html`<komabako-game-tab .session=${this.session}></komabako-game-tab>`;
      case 'moves':
        return html`<komabako-moves-tab .session=${this.session}></komabako-moves-tab>`;
      case 'bits':
        return html`<komabako-bits-tab .session=${this.session}></komabako-bits-tab>`;
      case 'solve':
      case 'files':
        return nothing;
    }
  }

  #onTabKey(event: KeyboardEvent): void {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? TABS.length - 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const next = TABS[(TABS.indexOf(this.session.tab) + by) % TABS.length]!;
    this.session.setTab(next);
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(`#tab-${next}`)?.focus());
  }

  #onChange(event: CustomEvent<BoardChange>): void {
    if (event.detail.move) this.session.play(event.detail.move);
    else this.session.edit(parseSfen(event.detail.sfen)!);
  }

  #onRefused(event: CustomEvent<{ reason: Refusal | 'bad-sfen' }>): void {
    const { reason } = event.detail;
    if (reason !== 'bad-sfen') this.session.say(this.words.refusal[reason]);
  }

  #onHover(event: CustomEvent<{ place: Place | null }>): void {
    if (this.session.tab === 'bits') this.session.hover(event.detail.place);
  }

  #turned = 0;

  /** The wheel steps through a game; without one it scrolls. */
  readonly #onWheel = {
    handleEvent: (event: WheelEvent) => {
      const { session } = this;
      const { deltaX, deltaY } = event;
      if (event.ctrlKey || Math.abs(deltaX) >= Math.abs(deltaY) || session.mode !== 'play' || session.game.children.length === 0) return;
      event.preventDefault();
      this.#turned += deltaY;
      if (Math.abs(this.#turned) < NOTCH) return;
      session.step(Math.sign(deltaY));
      this.#turned = 0;
    },
    passive: false,
  };

  async #open(source: Source): Promise<void> {
    await this.session.open(source);
    if (this.session.opening) this.querySelector('komabako-paste-dialog')?.open();
  }

  #help(): void {
    this.querySelector('komabako-help-dialog')?.open();
  }

  /** Handles keys of the whole page; the grid stops its own keys before they arrive here. */
  #key(event: KeyboardEvent): void {
    const target = event.composedPath()[0];
    if (isField(target)) return;
    if (document.querySelector('dialog[open]')) return;
    const { session } = this;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && (key === 'z' || key === 'y')) {
      event.preventDefault();
      if (event.shiftKey || key === 'y') session.redo();
      else session.undo();
      return;
    }
    if (command || event.altKey) return;
    switch (event.key) {
      case '[':
        return session.step(-1);
      case ']':
        return session.step(1);
      case 'ArrowLeft':
      case 'ArrowRight':
        // Sliders, trees, tabs and summaries have their own arrows.
        if (event.defaultPrevented || isControl(target)) return;
        event.preventDefault();
        return session.step(event.key === 'ArrowLeft' ? -1 : 1);
      case 'f':
      case 'F':
        return session.flip();
      case 'm':
      case 'M':
        return session.setMode((session.mode === 'play' ? 'setup' : 'play') satisfies Mode);
      case '?':
        return this.#help();
    }
  }

  get board(): KomabakoBoard | null {
    return this.querySelector('komabako-board');
  }
}

function filesOf(data: DataTransfer | null): Source | undefined {
  const files = [...(data?.files ?? [])];
  return files.length > 1 ? files : files[0];
}

function isField(target: EventTarget | undefined): boolean {
  return target instanceof Element && target.matches('input:not([type=radio], [type=checkbox]), textarea, select');
}

function isControl(target: EventTarget | undefined): boolean {
  return target instanceof Element && target.closest('input, [role=slider], [role=tree], [role=tablist], [role=gridcell]') !== null;
}

customElements.define('komabako-page', KomabakoPage);
