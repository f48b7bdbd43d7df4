/** A contact in HighLevel's format. */
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

/** The state of the stand-in. */
export interface StandInState {
  readonly clientId: string
  readonly clientSecret: string
  /** Locations by their valid codes and tokens. */
  readonly codes: Map<string, string>
  readonly accessTokens: Map<string, string>
  readonly refreshTokens: Map<string, string>
  /** The locations of each agency in which the app is installed. Codes and tokens of an agency map to its id. */
  readonly agencies: Map<string, Set<string>>
  readonly contacts: Map<string, StandInContact>
  readonly notes: Array<{ readonly id: string; readonly contactId: string; readonly body: string }>
  readonly tasks: Array<{ readonly id: string; readonly contactId: string; readonly title: string }>
  /** Pairs in the form `workflow:contact`. */
  readonly enrolled: Set<string>
  /** The number of requests that remain on this day. Null: the responses do not state it. */
  leftToday: number | null
  counter: number
}

/** A received request. */
export interface SeenRequest {
  readonly method: string
  /** Decoded, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

/** A response of the stand-in. */
export interface StandInAnswer {
  readonly status: number
  readonly json: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns an id in HighLevel's form: twenty letters and digits. */
export const madeId = (state: StandInState, kind: string): string =>
  `${kind}${String(++state.counter).padStart(20 - kind.length, "0")}`

/** Returns an error in the CRM's format. */
export const problem = (status: number, message: string | ReadonlyArray<string>, error?: string): StandInAnswer => ({
  status,
  json: { statusCode: status, message, ...(error === undefined ? {} : { error }), traceId: "trace-1" }
})
