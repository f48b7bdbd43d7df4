/** A contact as HighLevel answers it. */
export interface StandInContact {
  readonly id: string
  readonly locationId: string
  readonly firstName?: string
  readonly lastName?: string
  readonly email?: string
  readonly phone?: string
  readonly companyName?: string
  readonly source?: string
  readonly tags: ReadonlyArray<string>
  readonly dnd: boolean
  readonly dateAdded: string
  readonly dateUpdated: string
}

/** Everything that the stand-in knows. */
export interface StandInState {
  readonly clientId: string
  readonly clientSecret: string
  /** Locations by the codes and tokens that are good for them. */
  readonly codes: Map<string, string>
  readonly accessTokens: Map<string, string>
  readonly refreshTokens: Map<string, string>
  /** The locations of each agency that have the app. Codes and tokens of an agency are good for its id. */
  readonly agencies: Map<string, Set<string>>
  readonly contacts: Map<string, StandInContact>
  readonly notes: Array<{ readonly id: string; readonly contactId: string; readonly body: string }>
  readonly tasks: Array<{ readonly id: string; readonly contactId: string; readonly title: string }>
  /** `workflow:contact`. */
  readonly enrolled: Set<string>
  /** How many requests it says are left today; null: it does not say. */
  leftToday: number | null
  counter: number
}

/** A request that came. */
export interface SeenRequest {
  readonly method: string
  /** Without the query, decoded. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

/** What the stand-in answers. */
export interface StandInAnswer {
  readonly status: number
  readonly json: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Ids look like theirs: twenty letters and digits. */
export const madeId = (state: StandInState, kind: string): string =>
  `${kind}${String(++state.counter).padStart(20 - kind.length, "0")}`

/** An error in the CRM's words. */
export const problem = (status: number, message: string | ReadonlyArray<string>, error?: string): StandInAnswer => ({
  status,
  json: { statusCode: status, message, ...(error === undefined ? {} : { error }), traceId: "trace-1" }
})
