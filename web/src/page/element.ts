import { LitElement } from 'lit';
import type { Session } from './session.js';
import type { Words } from '../words/index.js';

/** An element that shows a session: it is drawn again whenever the session changes. It has no shadow of its own, so that
 * the page's one style sheet holds for all. */
export abstract class SessionElement extends LitElement {
  static override properties = { session: { attribute: false } };
  declare session: Session;

  readonly #onChange = () => this.requestUpdate();

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected get words(): Words {
    return this.session.words;
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
