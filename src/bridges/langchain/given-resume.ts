import { isRecord } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import { readResume, type Resumed, resumedId } from './review-interrupt.ts'

/** Says why a decision does not count; undefined where it is recorded. */
export type RecordDecision = (resumed: Resumed) => Promise<string | undefined>

/** The value of one resume. It decides one request, once. */
export class GivenResume {
  /** The id of the request that it names. */
  readonly id: string | undefined
  readonly #value: unknown
  #state: 'open' | 'taken' | 'settled' = 'open'
  #problem: string | undefined

  constructor(value: unknown) {
    this.#value = value
    this.id = resumedId(value)
  }

  /** Nothing is expected of it any more. */
  get isSettled(): boolean {
    return this.#state === 'settled' || this.id === undefined
  }

  /** False where it has been used. */
  get isOpen(): boolean {
    return this.#state === 'open'
  }

  /** Uses it for the request that it names. */
  async decide(record: RecordDecision): Promise<void> {
    this.#state = 'taken'
    try {
      const read = isRecord(this.#value) ? readResume(this.#value) : undefined
      if (read !== undefined) this.#problem = 'problem' in read ? read.problem : await record(read)
    } catch (error) {
      this.#problem = 'It could not be recorded. Resume with it again.'
      throw error
    } finally {
      this.#state = 'settled'
    }
  }

  /** Why it did not count, in words for the interrupt of a request; undefined where it did. */
  problemFor(request: string): string | undefined {
    const { id } = this
    if (id === undefined)
      return `The resume value names no request. Resume with { id: '${request}', action: 'approve' }, or another action.`
    if (this.#state !== 'settled')
      return `The resume value names the request ${quote(id)}, which no call of this step asks about: it was decided before, withdrawn, or never made. This request is '${request}'.`
    if (this.#problem === undefined || id === request || this.#problem.includes(id)) return this.#problem
    return `The decision on request '${id}' does not count: ${this.#problem}`
  }
}
