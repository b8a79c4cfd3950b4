import { describe, expect, test } from 'vitest'
import { ToolPipeline } from '../../../combinators/pipe/tool-pipeline.ts'
import { resolve } from '../../../tool/resolve/resolve.ts'
import { tool } from '../../../tool/tool.ts'
import { calculator } from './calculator.ts'

const calculate = async (expression: string): Promise<string> => (await calculator().call(expression)).text

test('a model sees a string tool that only reads [T17]', () => {
  const calculating = calculator()
  expect(calculating.name).toBe('calculator')
  expect(calculating.specification.parameters).toMatchObject({ required: ['input'], properties: { input: { type: 'string' } } })
  expect([calculating.effect, calculating.idempotent, calculating.tags]).toEqual(['read', true, ['math']])
})

test('a model calls it by its one parameter [T17]', async () => {
  const { call } = await resolve([calculator()])
  expect(await call('calculator', '{"input":"149.99 * 1.1"}')).toMatchObject({
    ok: true,
    text: '164.989',
    value: { result: '164.989', exact: true },
  })
  expect(await call('calculator', '1 + 1')).toMatchObject({ text: '2' })
})

describe('decimals are exact [T17]', () => {
  test.each([
    ['149.99 * 1.1', '164.989'],
    ['0.1 + 0.2', '0.3'],
    ['1 / 3 * 3', '1'],
    ['1 - 1/3 - 2/3', '0'],
    ['0.1 * 3 - 0.3', '0'],
    ['.5 + 5.', '5.5'],
    ['1e3 + 1.5E-3', '1000.0015'],
    ['1_000_000 + 1', '1000001'],
    ['1e-150', '1e-150'],
    ['12345678901234567890 * 98765432109876543210', '1219326311370217952237463801111263526900'],
    ['2^200', '1606938044258990275541962092341162602522202993782792835301376'],
    ['fact(25)', '15511210043330985984000000'],
  ])('%s is %s', async (expression, result) => {
    expect(await calculator().call(expression)).toMatchObject({ text: result, value: { result, exact: true } })
  })
})

describe('operators bind as on paper [T17]', () => {
  test.each([
    ['2 + 3 * 4', '14'],
    ['(2 + 3) * 4', '20'],
    ['2^3^2', '512'],
    ['2 ** 3 ** 2', '512'],
    ['-2^2', '-4'],
    ['(-2)^2', '4'],
    ['2^-2', '0.25'],
    ['2^-1^2', '0.5'],
    ['-2 * -3', '6'],
    ['2 - -3', '5'],
    ['--+2', '2'],
    ['10 - 4 - 3', '3'],
    ['64 / 4 / 2', '8'],
    ['2 * 7 % 4', '2'],
    ['-7 % 3', '-1'],
    ['7 % (-3)', '1'],
    ['5.5 % 2', '1.5'],
    ['3 \u00d7 4 \u00f7 2 \u2212 1', '5'],
    ['2 \u00b7 3 \u22c5 4', '24'],
  ])('%s is %s', async (expression, result) => expect(await calculate(expression)).toBe(result))
})

describe('functions and constants of a pocket calculator [T17]', () => {
  test.each([
    ['sqrt(0.25)', '0.5'],
    ['cbrt(-27)', '-3'],
    ['abs(-1.5)', '1.5'],
    ['round(2.5)', '3'],
    ['round(-2.5)', '-3'],
    ['round(1.005, 2)', '1.01'],
    ['round(1250, -2)', '1300'],
    ['floor(-1.5)', '-2'],
    ['ceil(-1.5)', '-1'],
    ['trunc(-1.5)', '-1'],
    ['floor(3) + ceil(3)', '6'],
    ['min(3, 1, 2)', '1'],
    ['max(3, 1, 2)', '3'],
    ['sum(0.1, 0.2, 0.3)', '0.6'],
    ['avg(1, 2, 4.5)', '2.5'],
    ['pow(2, 10)', '1024'],
    ['log(1000)', '3'],
    ['log(1/8, 2)', '-3'],
    ['log10(0.01)', '-2'],
    ['log2(1024)', '10'],
    ['ln(1)', '0'],
    ['exp(0)', '1'],
    ['sin(0) + tan(0) + asin(0) + atan(0) + acos(1)', '0'],
    ['cos(0)', '1'],
    ['fact(0) + fact(5)', '121'],
    ['8^(1/3)', '2'],
    ['(-8)^(1/3)', '-2'],
    ['(-8)^(2/3)', '4'],
    ['(4/9)^-1.5', '3.375'],
    ['0^0', '1'],
    ['SQRT(16)', '4'],
  ])('%s is %s, exactly', async (expression, result) => {
    expect(await calculator().call(expression)).toMatchObject({ ok: true, value: { result, exact: true } })
  })

  // The digits are those of published tables.
  test.each([
    ['pi', '3.141592653589793238462643383279503'],
    ['\u03c0', '3.141592653589793238462643383279503'],
    ['e', '2.718281828459045235360287471352662'],
    ['1/3', '0.3333333333333333333333333333333333'],
    ['2/3', '0.6666666666666666666666666666666667'],
    ['sqrt(2)', '1.414213562373095048801688724209698'],
    ['cbrt(2)', '1.259921049894873164767210607278228'],
    ['2^0.5', '1.414213562373095048801688724209698'],
    ['ln(2)', '0.6931471805599453094172321214581766'],
    ['ln(10)', '2.302585092994045684017991454684364'],
    ['log(2)', '0.301029995663981195213738894724493'],
    ['exp(100)', '2.688117141816135448412625551580014e43'],
    ['exp(-100)', '3.720075976020835962959695803863118e-44'],
    ['sin(1)', '0.841470984807896506652502321630299'],
    ['cos(1)', '0.5403023058681397174009366074429766'],
    ['tan(1)', '1.55740772465490223050697480745836'],
    ['sin(10^22)', '-0.8522008497671888017727058937530294'],
    ['asin(1)', '1.570796326794896619231321691639751'],
    ['acos(-1)', '3.141592653589793238462643383279503'],
    ['acos(0.5) * 3', '3.141592653589793238462643383279503'],
    ['atan(1) * 4', '3.141592653589793238462643383279503'],
    ['atan(-10^500) * 2', '-3.141592653589793238462643383279503'],
    ['rad(180)', '3.141592653589793238462643383279503'],
    ['deg(pi)', '180'],
    ['e^(pi * sqrt(163))', '262537412640768743.9999999999992501'],
    ['(1 + 0.0425/365)^3650', '1.529552576182917399689795113455331'],
    ['ln(1 + 1e-200)', '1e-200'],
    ['sin(1e-300)', '1e-300'],
    ['atan(2e-300)', '2e-300'],
    ['asin(3e-300)', '3e-300'],
    ['0.5^1000', '9.332636185032188789900895447238172e-302'],
  ])('%s is %s, rounded, and says so', async (expression, result) => {
    expect(await calculator().call(expression)).toMatchObject({
      text: result,
      value: { result, exact: false },
      issues: [{ severity: 'info', message: 'Rounded: right to about 34 significant digits.' }],
    })
  })

  test.each([
    ['sqrt(2)^2 - 2', '0'],
    ['floor(sqrt(2)^2)', '2'],
    ['floor(sqrt(5)^2) + floor(sqrt(6)^2) + floor(sqrt(7)^2) + floor(sqrt(8)^2)', '26'],
    ['trunc(cbrt(2)^3) + trunc(cbrt(3)^3) + trunc(cbrt(5)^3)', '10'],
    ['sqrt(3)^2 % 3', '0'],
    ['sin(pi)', '0'],
    ['cos(pi / 2)', '0'],
    ['sin(1000000 * pi)', '0'],
    ['exp(1) - e', '0'],
    ['ln(e) - 1', '0'],
    ['ln(exp(30))', '30'],
    ['asin(sin(0.7))', '0.7'],
    ['round(pi, 2)', '3.14'],
    ['sqrt(2) - 1.41421356237309504880168872420969807', '8.569671875376948073176679737990732e-36'],
  ])('%s is %s: what rounding left over does not show', async (expression, result) => expect(await calculate(expression)).toBe(result))
})

describe('what cannot be read is marked, and says what to write instead [T17]', () => {
  test.each([
    ['', 'There is nothing to calculate; send an expression such as 149.99 * 1.1.'],
    ['1 + )', "A number, a name or '(' is expected here, not ')'. At character 5: 1 + >>>)"],
    ['1 +', "A number, a name or '(' is expected here, not the end. At character 4: 1 +>>>"],
    ['(1 + 2', "This '(' is never closed. At character 1: >>>(1 + 2"],
    ['max(1, 2', "This '(' is never closed. At character 4: max>>>(1, 2"],
    ['1 + 2)', "This ')' closes nothing. At character 6: 1 + 2>>>)"],
    ['2 pi', "An operator is missing between '2' and 'pi'; write '*' for a product. At character 3: 2 >>>pi"],
    ['2(3)', "An operator is missing between '2' and '('; write '*' for a product. At character 2: 2>>>(3)"],
    ['(1)(2)', "An operator is missing between ')' and '('; write '*' for a product. At character 4: (1)>>>(2)"],
    ['1 000', "An operator is missing between '1' and '000'; write '*' for a product. At character 3: 1 >>>000"],
    [
      '1,000 + 1',
      "A ',' stands only between the arguments of a function; write 1000 for a thousand, and 1.5 for one and a half. At character 2: 1>>>,000 + 1",
    ],
    [
      'max(1,000, 2)',
      "A ',' stands only between the arguments of a function; write 1000 for a thousand, and 1.5 for one and a half. At character 6: max(1>>>,000, 2)",
    ],
    ['1.000.000', "'1.000.' is not a number; write it as 1234.56. At character 1: >>>1.000.000"],
    ['1__0', "'1__0' is not a number; write it as 1234.56. At character 1: >>>1__0"],
    ['sqr(4)', "There is no function or constant 'sqr'. Did you mean 'sqrt' or 'sin' or 'sum'? At character 1: >>>sqr(4)"],
    ['sqrt 4', "'sqrt' is a function; write sqrt(x). At character 1: >>>sqrt 4"],
    ['round()', "'round' does not take 0 arguments; write round(x) or round(x, digits). At character 1: >>>round()"],
    ['sqrt(1, 2)', "'sqrt' does not take 2 arguments; write sqrt(x). At character 1: >>>sqrt(1, 2)"],
    ['200 + 10%', "'%' is the remainder of a division; for 10 percent of x write x * 10 / 100. At character 9: 200 + 10>>>%"],
    ['10% of 200', "'%' is the remainder of a division; for 10 percent of x write x * 10 / 100. At character 3: 10>>>% of 200"],
    [
      '200 + 10% - 5',
      "'%' is the remainder of a division; for 10 percent of x write x * 10 / 100. For a remainder write 7 % (-2). At character 9: 200 + 10>>>% - 5",
    ],
    ['2 + 2 =', "'=' is not understood here; leave '=' out: the input is an expression, not an equation. At character 7: 2 + 2 >>>="],
    ['5!', "'!' is not understood here; write fact(5) for a factorial. At character 2: 5>>>!"],
    ['\u20ac5', "'\u20ac' is not understood here; leave the currency out. At character 1: >>>\u20ac5"],
    ['1 + \u0007', "'\u0007' is not understood here. At character 5: 1 + >>>\\u{7}"],
  ])('%j', async (expression, message) => {
    expect(await calculator().call(expression)).toMatchObject({
      ok: false,
      error: { code: 'invalid_request', class: 'input_validation', message },
    })
  })

  test('a long expression is shown around the place', async () => {
    expect(await calculate(`${'1 + '.repeat(20)}) ${'+ 1'.repeat(20)}`)).toContain(
      'At character 81: ...+ 1 + 1 + 1 + 1 + 1 + 1 + 1 + >>>) + 1+ 1+ 1+ 1',
    )
  })

  test('an unknown name that is like none gets the whole list', async () => {
    expect(await calculate('qqqqqqqqqqqq(1)')).toContain('There are: sqrt, cbrt, abs,')
  })
})

describe('what has no value says why, at its place [T17]', () => {
  test.each([
    ['1 + 1/0', 'Division by zero. At character 6: 1 + 1>>>/0'],
    ['5 % 0', 'Division by zero. At character 3: 5 >>>% 0'],
    ['0^-1', 'Division by zero: zero has no negative power. At character 2: 0>>>^-1'],
    ['0^-0.5', 'Division by zero: zero has no negative power. At character 2: 0>>>^-0.5'],
    ['sqrt(-1)', 'The square root of a negative number is not a real number. At character 1: >>>sqrt(-1)'],
    ['(-2)^0.5', 'This power of a negative number is not a real number. At character 5: (-2)>>>^0.5'],
    ['ln(0)', 'A logarithm takes a positive number only. At character 1: >>>ln(0)'],
    ['log(5, 1)', 'The base of a logarithm is a positive number other than 1. At character 1: >>>log(5, 1)'],
    ['tan(pi/2)', 'The tangent has no value at an odd multiple of pi/2. At character 1: >>>tan(pi/2)'],
    ['asin(1.1)', 'asin takes a number from -1 to 1 only. At character 1: >>>asin(1.1)'],
    ['sin(10^30)', 'The angle is too large: it must be below 10^30. At character 1: >>>sin(10^30)'],
    ['fact(-1)', 'fact takes a whole number from 0 on. At character 1: >>>fact(-1)'],
    ['fact(1.5)', 'fact takes a whole number from 0 on. At character 1: >>>fact(1.5)'],
    ['round(1, 0.5)', 'round takes a whole number of digits, from -500 to 500. At character 1: >>>round(1, 0.5)'],
  ])('%s', async (expression, message) => {
    expect(await calculator().call(expression)).toMatchObject({ ok: false, error: { code: 'invalid_request', message } })
  })
})

describe('limits hold before anything grows [T17]', () => {
  const large = 'The number is too large: it has more than 1000 digits before the point.'
  const small = 'The number is too small: it is not zero, but has more than 1000 zeros after the point.'

  test.each([
    ['9^9^9^9', large],
    ['9^(9^9)', large],
    ['10^1000', large],
    ['1.5^(10^900)', large],
    ['fact(450)', large],
    ['fact(10000)', large],
    ['fact(10^900)', large],
    ['exp(3000)', large],
    ['exp(10^999)', large],
    ['1e999 * 10', large],
    ['1e1000', large],
    ['0.1^1001', small],
    ['0.9^(10^900)', small],
    ['exp(-10^999)', small],
    ['1e-999 / 1e9', small],
    ['1e99999999999999999999', 'The number is too large or too small: its exponent goes up to 1000.'],
    [`${'('.repeat(200)}1`, 'The expression is nested more than 100 levels deep.'],
    [`${'-'.repeat(200)}1`, 'The expression is nested more than 100 levels deep.'],
    [`${'2^'.repeat(200)}1`, 'The expression is nested more than 100 levels deep.'],
    ['1+'.repeat(600), 'The expression is too long: it has 1200 characters, at most 1000 are taken.'],
  ])('%s', async (expression, message) => expect(await calculate(expression)).toContain(`Error: ${message}`))

  test('the largest and the smallest are still exact', async () => {
    expect(await calculate('10^999')).toBe(`1${'0'.repeat(999)}`)
    expect(await calculator().call('10^-999')).toMatchObject({ value: { result: '1e-999', exact: true } })
    expect(await calculate('(-1)^(10^900) + 1^(10^900)')).toBe('2')
    expect((await calculate('fact(449)')).length).toBe(998)
    expect(await calculator().call('2^3319')).toMatchObject({ value: { result: String(2n ** 3319n), exact: true } })
    expect(await calculator().call('(-3)^2095')).toMatchObject({ value: { result: String(-(3n ** 2095n)), exact: true } })
    expect(await calculator().call('(2/3)^2000 * 3^2000')).toMatchObject({ value: { result: String(2n ** 2000n), exact: true } })
    expect(await calculate('2^3322')).toContain('Error: The number is too large')
  })

  test('a fraction that is too long is carried on rounded', async () => {
    const long = '((10/7)^500 * (11/13)^500)'
    expect(await calculator().call(`${long} / ${long}`)).toMatchObject({ value: { result: '1', exact: false } })
    expect(await calculator().call('(10/7)^500 / (10/7)^500')).toMatchObject({ value: { result: '1', exact: true } })
  })

  test('what is as long as allowed and as heavy as can be ends', async () => {
    for (const part of [
      'atan(1e-999)+',
      'ln(1+1e-999)+',
      'sin(1e29)+',
      '1e-99^.1+',
      '1e-999/7+',
      'e^9.1+',
      '1/(7^999)+',
      '(1/7)^(1/999)+',
    ]) {
      const heavy = `${part.repeat(Math.floor(999 / part.length))}1`
      expect(await calculate(heavy)).toMatch(/^(\d|Error: The number is too)/)
    }
  })
})

test('in a pipeline the text goes on to a string step, and an adapter reads the value [T17]', async () => {
  const label = tool({ name: 'label', description: 'Labels a price.', effect: 'read', execute: (price) => `EUR ${price}` })
  expect(await ToolPipeline.of(calculator(), label).call('149.99 * 1.1')).toMatchObject({ ok: true, text: 'EUR 164.989' })
  const adapted = ToolPipeline.builder()
    .step(calculator())
    .adapter(({ value: { result, exact } }) => `${exact ? '' : 'about '}${Number(result).toFixed(2)}`)
    .step(label)
    .build()
  expect(await adapted.call('100 / 3')).toMatchObject({ ok: true, text: 'EUR about 33.33' })
})
