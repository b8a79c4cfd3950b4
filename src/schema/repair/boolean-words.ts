import type { Place } from './place.ts'

const CONSENTS: ReadonlyMap<string, boolean> = meanings('true yes', 'false no')
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...CONSENTS,
  ...meanings('y 1 1.0 t ✓ ✔ ✅ ☑ 👍', 'n 0 0.0 f ✗ ✘ ❌ ☒ 👎'),
  // Yes and no in German, French, Spanish, Italian, Portuguese, Dutch, in the languages of the north, in Polish, Russian, Chinese and Japanese.
  ...meanings(
    'ja oui sí si sì sim tak да 是 はい wahr vrai verdadero vero',
    'nein non não nao nee nei nej nie нет 否 いいえ falsch faux falso',
  ),
])
/** Words for the thing that the field is named after. */
const SWITCHES: ReadonlyMap<string, boolean> = new Map([...BOOLEANS, ...meanings('on enabled checked', 'off disabled unchecked')])
/** Names of switches that turn something off: there `off` may mean the switch or the thing. */
const NEGATIVE: ReadonlySet<string> = new Set(
  'no not non without disable disabled disables deactivate deactivated inactive off skip exclude excluded ignore suppress block blocked hide hidden mute muted stop stopped pause paused suspend suspended prevent forbid deny dont'.split(
    ' ',
  ),
)

function meanings(yes: string, no: string): ReadonlyMap<string, boolean> {
  return new Map([...yes.split(' ').map((word) => [word, true] as const), ...no.split(' ').map((word) => [word, false] as const)])
}

/** The words that a field takes for true and false. Consent is given in plain words only. */
export function booleanWords({ kind, words }: Place): ReadonlyMap<string, boolean> {
  if (kind === 'consent') return CONSENTS
  return words.some((word) => NEGATIVE.has(word)) ? BOOLEANS : SWITCHES
}
