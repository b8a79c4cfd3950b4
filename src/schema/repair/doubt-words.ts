/** Words and signs that take back what stands beside them, or make another thing of it. */
export const DOUBT =
  /\b(?:not?|never|or|and|but|if|unless|except|only|without|than|instead|maybe|default|was|to|from|near|via|old|former|formerly|previous|previously|planned|expected|estimated|assumed|tentative|provisional|likely|probably|possibly|unsure|unconfirmed|pending|before|after|until|since|next|last|each|same|use|approx|about|circa|around|tb[acd])\b|n['’]t\b|[?~≈±]/i
