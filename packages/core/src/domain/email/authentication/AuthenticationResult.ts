/** The results of one method (RFC 8601 section 2.7). `none`: the mail or the domain does not use the method. */
export const authenticationResults = [
  "pass",
  "fail",
  "softfail",
  "neutral",
  "none",
  "policy",
  "temperror",
  "permerror"
] as const

export type AuthenticationResult = (typeof authenticationResults)[number]
