import { ConfigurationError } from '../errors/configuration-error.ts'

/** A label names one step of a compound tool, in every run the same. `/`, `#`, `@`, `!` and `:` are the path's own. */
export function checkLabel(label: string): void {
  if (label === '' || /[/#@!:]/.test(label)) {
    throw new ConfigurationError(
      'invalid_label',
      `The label ${JSON.stringify(label)} of a step must not be empty or contain any of / # @ ! :`,
    )
  }
}

/** Numbers the repeats of a label: `ask`, `ask#2`, `ask#3`. */
export class LabelCounts {
  readonly #counts = new Map<string, number>()

  next(label: string): string {
    const count = (this.#counts.get(label) ?? 0) + 1
    this.#counts.set(label, count)
    if (count > 1) return `${label}#${count}`
    checkLabel(label)
    return label
  }
}
