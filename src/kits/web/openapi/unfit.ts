/** Why an operation cannot become a tool. It is listed with this reason. */
export class Unfit extends Error {
  override readonly name = 'Unfit'
}
