import { prefs } from './prefs.svelte.ts';

export type Sound = 'move' | 'capture' | 'laser' | 'bounce' | 'win' | 'loss' | 'draw' | 'low' | 'start';

let audio: AudioContext | null = null;
let noise: AudioBuffer | null = null;

function context(): AudioContext | null {
  try {
    audio ??= new AudioContext();
  } catch {
    return null;
  }
  if (audio.state === 'suspended') void audio.resume();
  if (!noise) {
    noise = audio.createBuffer(1, audio.sampleRate * 0.2, audio.sampleRate);
    const data = noise.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
  }
  return audio;
}

/** A volume that rises at once and falls away. */
function envelope(at: AudioContext, start: number, peak: number, length: number): GainNode {
  const gain = at.createGain();
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(Math.max(0.0002, peak * prefs.volume), start + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  gain.connect(at.destination);
  return gain;
}

/** Wood on wood: filtered noise and a low body. */
function knock(at: AudioContext, start: number, pitch: number, peak: number): void {
  const source = at.createBufferSource();
  source.buffer = noise;
  const band = at.createBiquadFilter();
  band.type = 'bandpass';
  band.frequency.value = pitch;
  band.Q.value = 1.4;
  source.connect(band).connect(envelope(at, start, peak, 0.07));
  source.start(start);
  tone(at, start, pitch / 6, pitch / 8, peak * 0.6, 0.09, 'sine');
}

function tone(at: AudioContext, start: number, from: number, to: number, peak: number, length: number, type: OscillatorType): void {
  const wave = at.createOscillator();
  wave.type = type;
  wave.frequency.setValueAtTime(from, start);
  wave.frequency.exponentialRampToValueAtTime(to, start + length);
  wave.connect(envelope(at, start, peak, length));
  wave.start(start);
  wave.stop(start + length + 0.02);
}

/** Makes a sound, if sounds are on. */
export function play(sound: Sound, times = 1): void {
  if (!prefs.sound) return;
  const at = context();
  if (!at) return;
  const now = at.currentTime + 0.01;
  switch (sound) {
    case 'move':
      return knock(at, now, 1500, 0.5);
    case 'capture':
      knock(at, now, 1900, 0.5);
      return knock(at, now + 0.05, 1100, 0.6);
    case 'laser':
      return tone(at, now, 1800, 220, 0.12, 0.3, 'sawtooth');
    case 'bounce':
      for (let i = 0; i < Math.min(times, 12); i++) knock(at, now + i * 0.09, 1300 + i * 90, 0.4);
      return;
    case 'low':
      return tone(at, now, 880, 870, 0.18, 0.16, 'triangle');
    case 'start':
      return [392, 523].forEach((f, i) => tone(at, now + i * 0.1, f, f, 0.16, 0.25, 'triangle'));
    case 'win':
      return [523, 659, 784].forEach((f, i) => tone(at, now + i * 0.11, f, f, 0.18, 0.35, 'triangle'));
    case 'loss':
      return [440, 370, 294].forEach((f, i) => tone(at, now + i * 0.13, f, f, 0.16, 0.35, 'triangle'));
    case 'draw':
      return [440, 440].forEach((f, i) => tone(at, now + i * 0.16, f, f, 0.15, 0.28, 'triangle'));
  }
}
