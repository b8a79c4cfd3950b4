import { cryptoModule } from '../tool/crypto-module.ts'

/** Digits that nobody can guess: models take three of them as one token, of random letters only two. */
export function randomDigits(count: number): string {
  let digits = ''
  while (digits.length < count) digits += String(cryptoModule().randomInt(1_000_000)).padStart(6, '0')
  return digits.slice(0, count)
}
