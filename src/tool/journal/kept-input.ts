import { isRecord } from '../../schema/json-schema.ts'

/** The mark of the recorded input of a gate, after the path of its call. */
export const KEPT_INPUT = ':input'

/** A part of a whole, and what its schema made of its input. */
export interface KeptPart {
  readonly path: string
  readonly tool: string
  readonly input: unknown
}

/**
 * The input that a gate of a recorded run goes by, if its schemas make another one each time they are asked: a default that is a new id, or the
 * present time. It is recorded before a person is asked, so that a resumed run goes on with what was shown.
 */
export interface KeptInput {
  readonly tool: string
  readonly input: unknown
  readonly parts: readonly KeptPart[]
}

/** Whether a path is that of a kept input: of the first one of a gate, or of one that was edited. */
export function isKeptInput(path: string): boolean {
  return /:input(?:#\d+)?$/.test(path)
}

/** Undefined for data that a gate has not recorded. */
export function readKeptInput(data: unknown): KeptInput | undefined {
  if (!isRecord(data) || typeof data['tool'] !== 'string' || !('input' in data) || !Array.isArray(data['parts'])) return undefined
  return { tool: data['tool'], input: data['input'], parts: data['parts'].filter(isKeptPart) }
}

function isKeptPart(part: unknown): part is KeptPart {
  return isRecord(part) && typeof part['path'] === 'string' && typeof part['tool'] === 'string' && 'input' in part
}
