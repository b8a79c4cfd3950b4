import { ToolError } from '../errors/tool-error.ts'
import { isSame } from './same-input.ts'

/** The input of a part that a person has seen and approved with the whole. */
export interface ApprovedPart {
  /** The labels of its call and of the calls around it, below the whole: `b`, `0/b`. */
  readonly path: string
  /** What the tool around it gives it. */
  readonly given: unknown
  /** The same as its schema makes it, in a form that can be validated again. */
  readonly input: unknown
}

/** A call of a part. */
interface Taker {
  readonly path: string
  readonly tool: string
  given: unknown
}

/** The approved inputs of parts, by the paths of their calls. */
export class ApprovedParts {
  readonly #parts = new Map<string, ApprovedPart>()

  /** What was approved before inside the call at this path is approved no longer. */
  approve(path: string, parts: readonly ApprovedPart[]): void {
    const around = `${placeOf(path)}/`
    for (const place of this.#parts.keys()) if (place.startsWith(around)) this.#parts.delete(place)
    for (const part of parts) this.#parts.set(`${around}${part.path}`, part)
  }

  /** The part runs with the input that was shown for it. Throws a ToolError if it would get another one than was foreseen. */
  take(call: Taker): void {
    const part = this.#parts.get(placeOf(call.path))
    if (part === undefined) return
    if (!isSame(call.given, part.given)) {
      throw new ToolError(`The input of tool '${call.tool}' is not the one that was shown to a person for it.`, {
        code: 'rejected',
        outcome: 'not_started',
      })
    }
    call.given = part.input
  }
}

/** Another attempt of a call is the same place. */
function placeOf(path: string): string {
  return path.replaceAll(/@\d+(?=\/|$)/g, '')
}
