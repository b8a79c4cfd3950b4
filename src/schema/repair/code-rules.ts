import { explainedParts, hostOf } from './linked-part.ts'
import type { Candidate } from './leaf-rule.ts'
import { currenciesNamed } from './money.ts'
import type { Place } from './place.ts'
import type { SchemaNode } from './schema-node.ts'
import type { Misfit } from './walk.ts'
import { zoneOfCity } from './zone-offset.ts'
import { countryNamed, languageNamed, stateNamed, threeLettersOf } from './world-names.ts'

/** `€` where the code of a currency is taken, `Germany` where that of a country is, `German` for a language. */
export function worldCode(text: string, { node, place, walk }: Misfit): readonly Candidate[] {
  if ((node.pattern === undefined && node.listed === undefined) || text.length > LONGEST) return []
  const named = WORLD.find(([name]) => isNamed(name, place))?.[1](text) ?? []
  const locales = isNamed('locale', place) || isNamed('language', place) ? localesNamed(text, node) : []
  if (locales.length === 1) return [{ value: locales[0], rule: 'code of a name', cost: 2 }]
  const codes = named.flatMap((code) =>
    code === undefined ? [] : code.length > 3 ? [code] : [...new Set([code, code.toUpperCase(), code.toLowerCase()])],
  )
  // The dollars of a list are those that it has.
  const [value, ...more] = codes.filter((code) => walk.fits(node.schema, code))
  if (value !== undefined) return more.length === 0 ? [{ value, rule: 'code of a name', cost: 2 }] : []
  // `en-US` where languages are listed without their countries.
  const language = isNamed('language', place) || isNamed('lang', place) ? /^([a-z]{2})[-_][A-Z]{2}$/.exec(text)?.[1] : undefined
  const isBare = node.listed?.every((each) => typeof each.value === 'string' && each.value.length === 2) === true
  return language !== undefined && isBare && walk.fits(node.schema, language) ? [{ value: language, rule: 'code of a name', cost: 3 }] : []
}

const LONGEST = 40

/** The listed locales that are called so: `Brazilian Portuguese` or `Portuguese (Brazil)` for `pt-BR`. */
function localesNamed(text: string, { listed = [] }: SchemaNode): readonly string[] {
  const locales = listed.flatMap(({ value }) => (typeof value === 'string' && /^[a-z]{2}-[A-Z]{2}$/.test(value) ? [value] : []))
  if (locales.length === 0 || locales.length > MOST_LOCALES) return []
  const names = (['dialect', 'standard'] as const).map(
    (languageDisplay) => new Intl.DisplayNames(['en'], { type: 'language', languageDisplay }),
  )
  return locales.filter((locale) => names.some((each) => each.of(locale)?.toLowerCase() === text.toLowerCase()))
}

const MOST_LOCALES = 60

const WORLD: readonly (readonly [name: string, codes: (text: string) => readonly (string | undefined)[]])[] = [
  ['currency', currenciesNamed],
  ['country', (text) => [countryNamed(text), threeLettersOf(text)]],
  ['state', (text) => [stateNamed(text)]],
  ['language', (text) => [languageNamed(text)]],
  ['lang', (text) => [languageNamed(text)]],
  ['locale', (text) => [languageNamed(text)]],
  ['timezone', (text) => [zoneOfCity(text)]],
  ['tz', (text) => [zoneOfCity(text)]],
  ['time zone', (text) => [zoneOfCity(text)]],
]

function isNamed(name: string, { words, text }: Place): boolean {
  return (
    words.includes(name) ||
    (words.join(' ').includes(name) && name.includes(' ')) ||
    (new RegExp(`\\b${name}\\b`).test(text) && /\b(?:iso|code|bcp|iana)\b/.test(text))
  )
}

/** The code of `Paris (CDG)`, or of a link that leads to it: the only part that the pattern takes, which must take no other word. */
export function explainedCode(text: string, { node, place, walk }: Misfit): readonly Candidate[] {
  const { pattern, format, listed } = node
  if (listed !== undefined || place.kind === 'path' || place.kind === 'secret') return []
  const host = format === 'hostname' ? hostOf(text) : undefined
  if (host !== undefined) return [{ value: host, rule: 'host of a link', cost: 2 }]
  const isOpen = WORDS.some((word) => walk.fits(node.schema, word))
  if (pattern === undefined || (isOpen && !/^[a-z\d]+:\/\/[^/]+\/?$|^arn:/i.test(text))) return []
  const parts = explainedParts(text)
  const [value, ...more] = parts.filter((part) => walk.fits(node.schema, part))
  // A link to a part of the thing, or to what is done with it, is no link to the thing.
  const isMiddle = value !== undefined && text.includes('://') && text.includes(`/${value}/`) && !text.endsWith(`/${value}/`)
  return value === undefined || more.length > 0 || isMiddle ? [] : [{ value, rule: 'code with a note', cost: 4 }]
}

const WORDS = ['name', 'Name', 'two words', 'a']

/** Signs with which some patterns let a value begin, so that its writer leaves them out. */
const MARKS = ['#', '@', 'v', '0x', '.']

/** `ff8800`, `#f80` and `rgb(255, 136, 0)` where a colour is `#ff8800`, and `2.4.1` where a version begins with `v`. */
export function markedValue(text: string, { node, walk }: Misfit): readonly Candidate[] {
  const { pattern } = node
  if (pattern === undefined || node.listed !== undefined || text === '') return []
  const bare = text.replace(/^0x(?=[0-9a-f]+$)/i, '')
  const found = MARKS.flatMap((mark) =>
    startsWith(node, mark) ? [bare, bare.toLowerCase(), bare.toUpperCase()].map((each) => mark + each) : [],
  )
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text)
  if (short !== null) found.push(...hexOf(short.slice(1).map((digit) => digit + digit)))
  const shares = /^rgb\((\d{1,3}),\s*(\d{1,3}),\s*(\d{1,3})\)$/i.exec(text)?.slice(1).map(Number) ?? []
  if (shares.length > 0 && shares.every((share) => share < 256))
    found.push(...hexOf(shares.map((share) => share.toString(16).padStart(2, '0'))))
  const [value] = found.filter((each) => each !== text && walk.fits(node.schema, each))
  return value === undefined ? [] : [{ value, rule: 'mark', cost: 2 }]
}

function hexOf(shares: readonly string[]): readonly string[] {
  const colour = `#${shares.join('')}`
  return [colour.toLowerCase(), colour.toUpperCase()]
}

function startsWith({ pattern = '' }: SchemaNode, mark: string): boolean {
  return pattern.startsWith(`^${mark}`) || pattern.startsWith(`^\\${mark}`)
}
