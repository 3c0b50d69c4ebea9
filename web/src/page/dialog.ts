import { type TemplateResult, html, nothing } from 'lit';
import { SessionElement } from './element.js';

/** A dialog. Its content is drawn only while it is open: that of a closed one costs time at every step of a game. */
export abstract class SessionDialog extends SessionElement {
  #isOpen = false;

  open(): void {
    this.#isOpen = true;
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector('dialog')?.showModal());
  }

  protected abstract get heading(): string;
  protected abstract content(): TemplateResult;

  protected close(): void {
    this.querySelector('dialog')?.close();
  }

  /** Called when the dialog was closed, by a button or by Escape. */
  protected closed(): void {
    this.#isOpen = false;
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    return html`<dialog aria-label=${this.heading} @close=${this.closed}>${this.#isOpen ? html`<h2>${this.heading}</h2>${this.content()}` : nothing}</dialog>`;
  }
}
