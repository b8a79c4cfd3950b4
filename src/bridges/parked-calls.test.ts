import { expect, test } from 'vitest'
import { type FakeClock, fakeClock } from '../testing/fake-clock.ts'
import { type DropCause, ParkedCalls } from './parked-calls.ts'

interface Call {
  readonly name: string
}

interface Kept {
  readonly calls: ParkedCalls<Call>
  readonly dropped: [name: string, cause: DropCause][]
  readonly clock: FakeClock
}

function keeper(maxCalls = 3): Kept {
  const clock = fakeClock()
  const dropped: Kept['dropped'] = []
  const calls = new ParkedCalls<Call>({ expiryMs: 1000, maxCalls, clock, onDrop: ({ name }, cause) => dropped.push([name, cause]) })
  return { calls, dropped, clock }
}

const pay: Call = { name: 'pay' }
const mail: Call = { name: 'mail' }

test('a call is found by each of its keys, and by those of an earlier wait', () => {
  const { calls } = keeper()
  calls.keep(pay, ['call-1', 'pay {}'])
  calls.keep(pay, ['call-2', 'pay {}'])
  expect(['call-1', 'call-2', 'pay {}', 'call-3'].map((key) => calls.get(key))).toEqual([pay, pay, pay, undefined])
})

test('a call is taken once, and does not expire afterwards', async () => {
  const { calls, dropped, clock } = keeper()
  calls.keep(pay, ['call-1', 'pay {}'])
  expect(calls.take('call-1')).toBe(pay)
  expect([calls.take('call-1'), calls.get('pay {}')]).toEqual([undefined, undefined])
  expect(clock.pending()).toBe(0)
  await clock.advance(5000)
  expect(dropped).toEqual([])
})

test('a call that nobody asks for in time is dropped, under all its keys', async () => {
  const { calls, dropped, clock } = keeper()
  expect(calls.keep(pay, ['call-1', 'pay {}'])).toBe(clock.now() + 1000)
  await clock.advance(999)
  expect(calls.get('call-1')).toBe(pay)
  await clock.advance(1)
  expect([calls.get('call-1'), calls.get('pay {}')]).toEqual([undefined, undefined])
  expect(dropped).toEqual([['pay', 'expired']])
})

test('the time of a call begins anew when it is kept again', async () => {
  const { calls, dropped, clock } = keeper()
  calls.keep(pay, ['call-1'])
  await clock.advance(900)
  calls.keep(pay, ['call-1'])
  await clock.advance(900)
  expect(dropped).toEqual([])
  expect(clock.pending()).toBe(1)
})

test('the oldest call is dropped where too many wait; one that is kept again counts as new', () => {
  const { calls, dropped } = keeper(2)
  calls.keep(pay, ['pay'])
  calls.keep(mail, ['mail'])
  calls.keep(pay, ['pay'])
  calls.keep({ name: 'third' }, ['third'])
  expect(dropped).toEqual([['mail', 'too many']])
  expect(calls.all.map(({ name }) => name)).toEqual(['pay', 'third'])
})

test('a key that another call has taken over stays with it', () => {
  const { calls } = keeper()
  calls.keep(pay, ['call-1', 'same input'])
  calls.keep(mail, ['call-2', 'same input'])
  calls.forget(pay)
  expect(calls.get('same input')).toBe(mail)
})

test('after close nothing is kept, and no timer is left', () => {
  const { calls, dropped, clock } = keeper()
  calls.keep(pay, ['pay'])
  calls.close()
  calls.keep(mail, ['mail'])
  expect([calls.get('pay'), calls.get('mail'), calls.all]).toEqual([undefined, undefined, []])
  expect(clock.pending()).toBe(0)
  expect(dropped).toEqual([])
})

test('without a clock a program can end while a call waits', () => {
  const before = process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length
  const calls = new ParkedCalls<Call>({ expiryMs: 60_000, maxCalls: 1, clock: undefined, onDrop: () => {} })
  calls.keep(pay, ['pay'])
  expect(process.getActiveResourcesInfo().filter((each) => each === 'Timeout')).toHaveLength(before)
  calls.close()
})

function shared(): Kept & { readonly park: (name: string, owner?: string) => void; readonly left: () => readonly string[] } {
  const clock = fakeClock()
  const dropped: Kept['dropped'] = []
  const calls = new ParkedCalls<Call>({
    expiryMs: 1000,
    maxCalls: 4,
    maxPerOwner: 2,
    clock,
    onDrop: ({ name }, cause) => dropped.push([name, cause]),
  })
  return {
    calls,
    dropped,
    clock,
    park: (name, owner) => void calls.keep({ name }, [name], owner),
    left: () => calls.all.map(({ name }) => name),
  }
}

test('an owner that uses up its share gives up its own oldest call, not that of another', () => {
  const { park, left, dropped } = shared()
  park('of ada', 'ada')
  for (const name of ['bob 1', 'bob 2', 'bob 3', 'bob 4']) park(name, 'bob')
  expect(left()).toEqual(['of ada', 'bob 3', 'bob 4'])
  expect(dropped).toEqual([
    ['bob 1', 'too many'],
    ['bob 2', 'too many'],
  ])
})

test('where all places are taken, the oldest call of the owner with the most goes', () => {
  const { park, left } = shared()
  park('ada 1', 'ada')
  park('bob 1', 'bob')
  park('bob 2', 'bob')
  park('of nobody')
  park('eve 1', 'eve')
  expect(left()).toEqual(['ada 1', 'bob 2', 'of nobody', 'eve 1'])
})

test('a place is free again when its call is taken', () => {
  const { calls, park, left, dropped } = shared()
  park('bob 1', 'bob')
  park('bob 2', 'bob')
  calls.take('bob 1')
  park('bob 3', 'bob')
  expect(left()).toEqual(['bob 2', 'bob 3'])
  expect(dropped).toEqual([])
})
