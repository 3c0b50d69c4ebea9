/** The problems that the worker for mates solves at its start, because a browser compiles a function at its first call,
 * and tables are computed at first use. A mate of five plies with pawn drops and interpositions, for Black and for White,
 * whose functions differ. */

import type { SolveTask } from './protocol.js';

const SFENS = ['k1s6/2G6/9/8+R/2p+s5/9/9/9/2B6 b SNPrb3gs3n4l16p 1', '6b2/9/9/9/5+SP2/+r8/9/6g2/6S1K w RB3GS3N4L16Psnp 1'];

export const WARM_UP: readonly SolveTask[] = SFENS.map((sfen) => ({ sfen, goal: 'shortest', hideUseless: true, memory: 64, seconds: 1 }));
