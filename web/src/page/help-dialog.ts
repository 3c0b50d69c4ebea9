import { type TemplateResult, html } from 'lit';
import { SessionElement } from './element.js';

/** The list of keys. */
export class HelpDialog extends SessionElement {
  open(): void {
    this.querySelector('dialog')?.showModal();
  }

  protected override render(): TemplateResult {
    const { words } = this;
    return html`<dialog aria-labelledby="help-title"><h2 id="help-title">${words.help}</h2>
      <dl class="keys">${words.keys.map(([keys, meaning]) => html`<div><dt>${keys.split(' ').map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${meaning}</dd></div>`)}</dl>
      <form method="dialog"><button>${words.close}</button></form></dialog>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'komabako-help-dialog': HelpDialog;
  }
}
customElements.define('komabako-help-dialog', HelpDialog);
