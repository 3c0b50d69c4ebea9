/** The script for other pages: `<komabako-board>` and `<komabako-player>`. */

export { KomabakoBoard } from '../board/komabako-board.js';
export { KomabakoPlayer } from './player.js';
