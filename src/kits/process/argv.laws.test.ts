import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isToolError } from '../../tool/errors/tool-error.ts'
import { argv } from './argv.ts'
import { KeptOutput } from './kept-output.ts'

/** Texts with what matters to programs and shells. */
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('-', '=', ' ', '\n', '\0', '"', "'", '$', 'a', '\ud800') }),
)

/** What is refused, for whatever reason, is undefined. */
function made(build: () => { readonly arguments: readonly string[] }): readonly string[] | undefined {
  try {
    return build().arguments
  } catch (error) {
    if (isToolError(error) && error.code === 'argument_refused') return undefined
    throw error
  }
}

const isWritable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

test('a value is one argument, unchanged, or it is refused [T17]', () => {
  fc.assert(
    fc.property(texts, (value) => {
      const isSafe = isWritable(value)
      expect(made(() => argv`show ${value} end`)).toEqual(isSafe && !value.startsWith('-') ? ['show', value, 'end'] : undefined)
      expect(made(() => argv`show -- ${value}`)).toEqual(isSafe ? ['show', '--', value] : undefined)
      expect(made(() => argv`--name=${value}`)).toEqual(isSafe ? [`--name=${value}`] : undefined)
      expect(made(() => argv`-n${value}`)).toEqual(isSafe && value !== '' ? [`-n${value}`] : undefined)
    }),
  )
})

test('no list of values brings an option before the end of options [T17]', () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 5 }), texts, (list, last) => {
      const before = made(() => argv`${list} ${last}`)
      if (before !== undefined) expect(before.some((each) => each.startsWith('-'))).toBe(false)
      const after = made(() => argv`-- ${list} ${last}`)
      if (after !== undefined) expect(after).toEqual(['--', ...list, last])
    }),
  )
})

test('output is kept whole, or its beginning and its end are kept and the rest is counted', () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 })
  fc.assert(
    fc.property(chunks, fc.integer({ min: 16, max: 200 }), (given, most) => {
      const kept = new KeptOutput(most)
      for (const chunk of given) kept.add(Buffer.from(chunk))
      const all = Buffer.concat(given)
      expect(kept.total).toBe(all.length)
      expect(kept.isWhole).toBe(all.length <= most)
      if (kept.isWhole) expect(kept.whole()).toEqual(all)
      else {
        const { dropped } = kept.text()
        expect(dropped).toBeGreaterThanOrEqual(all.length - most)
        expect(dropped).toBeLessThanOrEqual(all.length - most + 6)
      }
    }),
  )
})

test('no character is cut in two by the bound', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 100, maxLength: 200 }), fc.integer({ min: 16, max: 80 }), (text, most) => {
      const kept = new KeptOutput(most)
      kept.add(Buffer.from(text.toWellFormed().replaceAll('\ufffd', '')))
      expect(kept.text()).toMatchObject({ isMended: false })
      expect(kept.text().text).not.toContain('\ufffd')
    }),
  )
})
