/** Somebody on the way to a provider and back. */
export interface SignIn {
  readonly tenantId: string
  /** Hash of the secret that comes back. */
  readonly stateHash: string
  /** Who was sent; nobody else may come back. */
  readonly principal: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}
