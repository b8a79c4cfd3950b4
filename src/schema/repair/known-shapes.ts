import { isRecord } from '../json-schema.ts'
import { nameForm } from './name-words.ts'
import type { SchemaNode } from './schema-node.ts'

type Fields = Readonly<Record<string, unknown>>

/** The names of an object that has one field for each of these kinds of name and no other, in this order. */
function namesOf({ properties }: SchemaNode, kinds: readonly (readonly string[])[]): readonly string[] | undefined {
  const names = Object.keys(properties)
  const found = kinds.flatMap((forms) => names.filter((name) => forms.includes(nameForm(name))))
  return found.length === kinds.length && names.length === kinds.length ? found : undefined
}

const SHARES = [
  ['r', 'red'],
  ['g', 'green'],
  ['b', 'blue'],
]
const SIDES = [['width'], ['height']]
const PLACE = [
  ['lon', 'lng', 'longitude'],
  ['lat', 'latitude'],
]
const PLANE = [['x'], ['y']]
const SPACE = [['x'], ['y'], ['z']]
const PULSE = [['systolic'], ['diastolic']]
const MOMENT = [['date', 'day'], ['time']]

/**
 * The fields of a thing that has another notation which everybody writes in one order: a colour as `#ff8800` or three numbers, a size or each of several points as two, a place as a
 * point of GeoJSON, a day and a time as one text.
 */
export function knownShape(value: unknown, node: SchemaNode, isItem: boolean): Fields | undefined {
  const shares = hexShares(value) ?? numbersIn(value, 3)
  return (
    assigned(namesOf(node, SHARES), shares) ??
    assigned(namesOf(node, SIDES), numbersIn(value, 2)) ??
    (isItem ? (assigned(namesOf(node, PLANE), numbersIn(value, 2)) ?? assigned(namesOf(node, SPACE), numbersIn(value, 3))) : undefined) ??
    assigned(namesOf(node, PLACE), pointIn(value)) ??
    assigned(namesOf(node, PULSE), pressureIn(value)) ??
    assigned(namesOf(node, MOMENT), momentIn(value))
  )
}

function assigned(names: readonly string[] | undefined, values: readonly unknown[] | undefined): Fields | undefined {
  if (names === undefined || values === undefined) return undefined
  return Object.fromEntries(names.map((name, index) => [name, values[index]]))
}

function hexShares(value: unknown): readonly number[] | undefined {
  const digits = typeof value === 'string' ? /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(value.trim()) : null
  return digits?.slice(1).map((share) => Number.parseInt(share, 16))
}

function numbersIn(value: unknown, count: number): readonly unknown[] | undefined {
  return Array.isArray(value) && value.length === count && value.every((each) => typeof each === 'number') ? value : undefined
}

/** GeoJSON has the longitude first. */
function pointIn(value: unknown): readonly unknown[] | undefined {
  return isRecord(value) && value['type'] === 'Point' && Object.keys(value).length === 2 ? numbersIn(value['coordinates'], 2) : undefined
}

/** `120/80` of the blood, with the higher number first. */
function pressureIn(value: unknown): readonly number[] | undefined {
  const [, high, low] = typeof value === 'string' ? (/^(\d{2,3})\s?\/\s?(\d{2,3})(?:\s?mm\s?hg)?$/i.exec(value.trim()) ?? []) : []
  return high === undefined || Number(high) <= Number(low) ? undefined : [Number(high), Number(low)]
}

function momentIn(value: unknown): readonly string[] | undefined {
  return typeof value === 'string' ? /^(\d{4}-\d\d-\d\d)[T ](\d\d?:\d\d(?::\d\d)?(?:\s?[ap]m)?)$/i.exec(value.trim())?.slice(1) : undefined
}
