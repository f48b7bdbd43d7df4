/** The identity provider of the server. Its protocol is in `CodeFlow.ts`, which is loaded when a person uses it. */

/** The identity provider, and this console as its client. */
export interface Provider {
  readonly issuer: string
  readonly clientId: string
  /** Null if the provider did not respond to the server. */
  readonly endpoints: { readonly authorization: string; readonly token: string } | null
}

/** Reads the identity provider that the server names in the document; null if it has none. */
export const readProvider = (): Provider | null => {
  const content = document.querySelector<HTMLMetaElement>('meta[name="identity-provider"]')?.content
  return content === undefined ? null : JSON.parse(content)
}

/** Takes the response of the provider out of the address, so that neither the history nor a bookmark contains it. */
export const takeResponse = (): URLSearchParams | null => {
  const response = new URLSearchParams(location.search)
  if (location.pathname !== "/sign-in" || !(response.has("code") || response.has("error"))) return null
  history.replaceState(null, "", location.pathname)
  return response
}

/** The reason why the provider did not sign a person in. */
export type ProviderFailure = "denied" | "refused" | "unknown" | "used" | "unreachable" | "invalid"

/** The provider did not sign the person in. */
export class ProviderProblem extends Error {
  readonly failure: ProviderFailure
  constructor(failure: ProviderFailure) {
    super(failure)
    this.failure = failure
  }
}
