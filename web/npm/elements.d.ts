import type { BoardElement, PlayerElement } from './embed/types.js';

export type * from './embed/types.js';

declare global {
  interface HTMLElementTagNameMap {
    'komabako-board': BoardElement;
    'komabako-player': PlayerElement;
  }
}
