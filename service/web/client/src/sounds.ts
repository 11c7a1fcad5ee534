/** Short sounds, made where they are heard: a card laid down, a game won, a game over. */

const SOUNDS = {
  card: [[190, 0, 0.05]],
  won: [[523, 0, 0.18], [659, 0.12, 0.18], [784, 0.24, 0.18], [1047, 0.36, 0.4]],
  over: [[330, 0, 0.2], [247, 0.16, 0.35]],
} satisfies Record<string, [number, number, number][]>;

let device: AudioContext | null = null;

/** Plays one: of each tone its pitch in hertz, when it begins and how many seconds it takes to die away. */
export function playSound(name: keyof typeof SOUNDS): void {
  device ??= new AudioContext();
  const now = device.currentTime;
  for (const [pitch, begins, lasts] of SOUNDS[name]) {
    const tone = new OscillatorNode(device, { type: "triangle", frequency: pitch }), loudness = new GainNode(device, { gain: 0 });
    tone.connect(loudness).connect(device.destination);
    loudness.gain.setValueAtTime(0.12, now + begins);
    loudness.gain.exponentialRampToValueAtTime(0.0001, now + begins + lasts);
    tone.start(now + begins);
    tone.stop(now + begins + lasts);
  }
}
