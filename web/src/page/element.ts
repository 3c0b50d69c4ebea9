import { LitElement, type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import type { ModuleError } from '../module.js';
import type { Session } from './session.js';
import type { Words } from '../words/index.js';

/** Below this width the hands are above and below the board, and one format of bits is shown at a time. */
export const NARROW = matchMedia('(max-width: 639px)');

/** An element that shows a session and is redrawn whenever the session changes. It has no shadow root, so the page's
 * single style sheet applies to all. */
export abstract class SessionElement extends LitElement {
  static override properties = { session: { attribute: false } };
  declare session: Session;

  readonly #onChange = () => {
    this.sessionChanged();
    this.requestUpdate();
  };

  /** A hidden tab is drawn when it is shown. */
  protected override shouldUpdate(_: PropertyValues): boolean {
    return !this.hidden || this.session.tab === this.dataset['tab'];
  }

  /** Called at every change, even while the element is hidden. */
  protected sessionChanged(): void {}

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected get words(): Words {
    return this.session.words;
  }

  /** The sentence of a fault, if there is one. */
  protected fault(fault: ModuleError | null | undefined): TemplateResult | typeof nothing {
    return fault ? html`<p class="fault" role="alert">${this.words.sentenceOf(fault)}</p>` : nothing;
  }

  /** A listener that takes over what was entered, and draws it. */
  protected entered(take: (input: HTMLInputElement) => void): (event: Event) => void {
    return (event) => {
      take(event.target as HTMLInputElement);
      this.requestUpdate();
    };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.session.addEventListener('change', this.#onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.session.removeEventListener('change', this.#onChange);
  }
}
