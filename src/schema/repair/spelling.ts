/** Words of which the American spelling follows no rule. */
const AMERICAN: Readonly<Record<string, string>> = {
  ...{ centre: 'center', metre: 'meter', litre: 'liter', theatre: 'theater', fibre: 'fiber', calibre: 'caliber' },
  ...{ grey: 'gray', licence: 'license', defence: 'defense', offence: 'offense', programme: 'program', cheque: 'check', tyre: 'tire' },
  ...{ catalogue: 'catalog', dialogue: 'dialog', analogue: 'analog', jewellery: 'jewelry', aluminium: 'aluminum', judgement: 'judgment' },
}

/** A word in American spelling: `colour` as `color`, `organisation` as `organization`, `cancelled` as `canceled`. Words of one meaning only. */
export function americanSpelling(word: string): string {
  return (
    AMERICAN[word] ??
    word
      .replace(/^([a-z]{3,})our(s|ed|ing|ite|ites)?$/, '$1or$2')
      .replace(/^([a-z]{3,})is(e|es|ed|er|ing|ation|ations)$/, '$1iz$2')
      .replace(/^([a-z]{3,})ys(e|es|ed|er|ing)$/, '$1yz$2')
      .replace(/^([a-z]{3,}[aeiou])ll(ed|ing|er)$/, '$1l$2')
  )
}
