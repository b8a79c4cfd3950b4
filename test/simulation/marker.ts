/** Put into inputs, messages, reasons and names of an encrypted world: no row may hold it as it is. */
export const MARKER = 'zebra4711'
