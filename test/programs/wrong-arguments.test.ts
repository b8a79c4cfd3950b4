import { describe, expect, test } from 'vitest'
import { ROWS } from './table.ts'

const WRONG = [undefined, null, 5, 'x', {}, [], () => 1, Symbol('x')].map((wrong) => [typeof wrong, wrong] as const)

describe.each(Object.entries(ROWS))('of a program without types, %s', (_row, { wrong: { tools, names = [], others } }) => {
  describe.each(tools)('refuses what is not a tool in $what', ({ make, role }) => {
    test.each(WRONG)('and the message says where it stands: a %s %o', (_type, wrong) => {
      const message = expect.stringContaining(`${role} is not a tool: it is `)
      expect(() => make(wrong)).toThrow(expect.objectContaining({ code: 'not_a_tool', message }))
    })
  })

  test.for(names)('refuses what is no name as the name of $what, whatever else is said with it', ({ make }) => {
    for (const wrong of [null, Symbol('x'), { toString: null }]) {
      expect(() => make(wrong)).toThrow(expect.objectContaining({ code: 'invalid_name' }))
    }
  })

  test.for(others)('refuses what cannot be $what', ({ make, code, says }) => {
    expect(make).toThrow(expect.objectContaining({ code, message: expect.stringContaining(says) }))
  })
})
