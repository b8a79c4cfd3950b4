/** `1 byte`, `2 bytes`. */
export function counted(count: number, unit: 'byte' | 'character' | 'line'): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
