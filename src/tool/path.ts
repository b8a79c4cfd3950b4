import { quote } from '../schema/quote.ts'
import { ConfigurationError } from './errors/configuration-error.ts'
import { isUndoLabel } from './journal/undoing.ts'

/** A label names one step of a compound tool, the same in every run. `/`, `#`, `@`, `!` and `:` are reserved for paths. */
export function checkLabel(label: string): void {
  if (typeof label !== 'string') throw new ConfigurationError('invalid_label', `The label of a step must be a text, not ${quote(label)}.`)
  if (!label.isWellFormed() || label.includes('\0')) {
    throw new ConfigurationError(
      'invalid_label',
      `The label ${JSON.stringify(label)} of a step must be well-formed text: half a surrogate pair or a NUL cannot be recorded.`,
    )
  }
  if (label === '' || /[/#@!:]/.test(label)) {
    throw new ConfigurationError(
      'invalid_label',
      `The label ${JSON.stringify(label)} of a step must not be empty or contain any of / # @ ! :`,
    )
  }
}

/**
 * A label that begins with a dot marks a note of a combinator, which a changed program need not reach, and one that begins with `undo.` a
 * compensation: no step may have such a label.
 */
export function checkStepLabel(label: string): void {
  if (typeof label === 'string' && (label.startsWith('.') || isUndoLabel(label)))
    throw new ConfigurationError(
      'invalid_label',
      `A step cannot be called '${label}': labels that begin with a dot or with 'undo.' are reserved.`,
    )
}

/** Numbers the repeats of a label: `ask`, `ask#2`, `ask#3`. An attempt belongs to the latest of them. */
export class LabelCounts {
  readonly #counts = new Map<string, number>()
  readonly #attempts = new Set<string>()

  attempt(label: string, attempt: number): string {
    checkLabel(label)
    const count = this.#counts.get(label) ?? 1
    const unique = count > 1 ? `${label}#${count}` : label
    if (this.#attempts.has(`${unique}@${attempt}`)) {
      throw new ConfigurationError(
        'invalid_label',
        `Attempt ${attempt} of the step '${unique}' was made already. Number the attempts of one step: 2, 3, ...`,
      )
    }
    this.#attempts.add(`${unique}@${attempt}`)
    return unique
  }

  next(label: string): string {
    const before = this.#counts.get(label)
    if (before === undefined) checkLabel(label)
    const count = (before ?? 0) + 1
    this.#counts.set(label, count)
    return count > 1 ? `${label}#${count}` : label
  }
}
