import type { LimitBoard, LimitNews } from '../../tool/ports/limit-board.ts'
import type { LimitStore } from '../../tool/ports/limit-store.ts'
import { byClock } from '../../tool/ports/by-clock.ts'
import { type Leaving, Outage, type Sharing } from '../shared-state.ts'
import { BoardLimiter } from './board-limiter.ts'
import { LimitersByKey } from './limiters-by-key.ts'

/**
 * Limiters that the processes of an app share: the board counts for all of them. A process keeps what it was given for a short while, so that not
 * every call asks. Without an answer of the board each process goes on with its share.
 */
export function sharedLimits(sharing: Sharing<LimitBoard>): LimitStore & Leaving {
  const outage = new Outage(sharing, 'Limits')
  const fleet = { processes: 1 }
  const heard = new Set<WeakRef<LimitersByKey<BoardLimiter>>>()
  let opening: Promise<LimitBoard | undefined> | undefined
  let hasLeft = false
  const hear = (news: LimitNews | 'lost'): void => {
    for (const each of heard) {
      const limiters = each.deref()
      if (limiters === undefined) heard.delete(each)
      else if (news === 'lost') for (const limiter of limiters.all.values()) limiter.catchUp()
      else limiters.all.get(news.key)?.hear(news)
    }
  }
  const listen = (board: LimitBoard | undefined): LimitBoard | undefined => {
    board?.on(hear)
    // Those who could not wait until it was open go on with it.
    queueMicrotask(() => hear('lost'))
    return board
  }
  const board = (): Promise<LimitBoard | undefined> => {
    if (hasLeft) return Promise.resolve(undefined)
    return (opening ??= sharing.open().then(listen, (error: unknown) => {
      opening = undefined
      throw error
    }))
  }
  const leave = async (): Promise<void> => {
    hasLeft = true
    const limiters = [...heard].flatMap((each) => [...(each.deref()?.all.values() ?? [])])
    const ended = await Promise.all(limiters.map((limiter) => limiter.end()))
    const asks = ended.filter((ask) => ask !== undefined)
    if (asks.length > 0) await (await opening)?.leave(asks)
  }
  const ofClock = byClock((clock) => {
    const limiters = new LimitersByKey((key, rules) => new BoardLimiter({ key, rules, clock, board, outage, fleet }))
    heard.add(new WeakRef(limiters))
    return limiters
  })
  return { isShared: true, limiter: (key, rules, clock) => ofClock(clock).of(key, rules), leave }
}
