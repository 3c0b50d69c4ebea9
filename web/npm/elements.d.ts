import type { BoardChange, BoardElement, PlayerElement, PlayerStep } from './embed/types.js';

export type * from './embed/types.js';

declare global {
  interface HTMLElementTagNameMap {
    'komabako-board': BoardElement;
    'komabako-player': PlayerElement;
  }
  interface HTMLElementEventMap {
    'komabako-change': CustomEvent<BoardChange>;
    'komabako-step': CustomEvent<PlayerStep>;
  }
}
