/** The sound of a piece on the board: a short knock, made by the browser. */

let context: AudioContext | null = null;

export function click(): void {
  context ??= new AudioContext();
  const now = context.currentTime;
  const tone = new OscillatorNode(context, { type: 'triangle', frequency: 900 });
  const volume = new GainNode(context, { gain: 0.25 });
  tone.frequency.exponentialRampToValueAtTime(180, now + 0.04);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.07);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.08);
}
