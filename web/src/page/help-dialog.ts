import { type TemplateResult, html } from 'lit';
import { SessionDialog } from './dialog.js';

/** The list of keys. */
export class HelpDialog extends SessionDialog {
  protected get heading(): string {
    return this.words.help;
  }

  protected content(): TemplateResult {
    const { words } = this;
    return html`<dl class="keys">${words.keys.map(([keys, meaning]) => html`<div><dt>${keys.split(' ').map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${meaning}</dd></div>`)}</dl>
      <form method="dialog"><button>${words.close}</button></form>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'komabako-help-dialog': HelpDialog;
  }
}
customElements.define('komabako-help-dialog', HelpDialog);
