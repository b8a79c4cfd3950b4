import type { SettledResult } from '../result/settled.ts'
import { type KnownPart, Sequence } from './sequence.ts'

/** A call of a layer that goes on at once, without a promise of its own, and must know when its part is over. */
export abstract class OnePart extends Sequence {
  begin(part: KnownPart, input: unknown): unknown {
    return this.startWith(part, input)
  }

  /** The part is over, and the whole not yet; without a result it has a fatal error. It must not throw. */
  protected abstract partOver(result: SettledResult | undefined): void

  partEnded(result: SettledResult): void {
    this.partOver(result)
    this.end(result)
  }

  override partFailed(fatal: unknown): void {
    this.partOver(undefined)
    super.partFailed(fatal)
  }
}
