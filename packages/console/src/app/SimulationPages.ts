import { useMutation } from "@tanstack/react-query"
import { useState } from "react"

const dayMillis = 86_400_000
/** A simulation of the largest period takes minutes. */
export const simulationTimeoutMillis = 600_000

/** The fields that all requests of simulations have. */
interface SimulationRequest {
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly cursor?: string | undefined
}

interface SimulationPage {
  readonly since: string
  readonly until: string
  readonly next_cursor: string | null
}

/** The read pages of a simulation, oldest rows first. The numbers are the same on each page. */
export interface Simulated<Request, Page> {
  readonly request: Request
  readonly page: Page
  readonly pages: ReadonlyArray<Page>
}

/** A run of the first page, or of the page after the read ones. */
interface Run<Request, Page> {
  readonly request: Request
  readonly before: ReadonlyArray<Page>
  readonly abort: AbortController
}

/** Returns a simulation, and the functions that start it over the last days, read its next page and stop it. */
export const useSimulationPages = <Request extends SimulationRequest, Page extends SimulationPage>(
  send: (request: Request, signal: AbortSignal) => Promise<Page>
) => {
  const [result, setResult] = useState<Simulated<Request, Page> | null>(null)
  const { error, isPending, mutate, variables } = useMutation({
    mutationFn: async ({ abort, before, request }: Run<Request, Page>): Promise<Simulated<Request, Page>> => {
      const page = await send(request, abort.signal)
      return { request, page, pages: [...before, page] }
    },
    onSuccess: setResult
  })
  return {
    result,
    isPending,
    isStopped: !isPending && error !== null && variables.abort.signal.aborted,
    error: error === null || variables?.abort.signal.aborted === true ? null : error,
    start: (days: number, wanted: Request): void => {
      setResult(null)
      const since = new Date(Date.now() - days * dayMillis).toISOString()
      mutate({ request: { ...wanted, since }, before: [], abort: new AbortController() })
    },
    // Each page repeats the simulation, so it reads the same period.
    readMore: (): void => {
      if (result === null || result.page.next_cursor === null) return
      const { next_cursor: cursor, since, until } = result.page
      const request = { ...result.request, since, until, cursor }
      mutate({ request, before: result.pages, abort: new AbortController() })
    },
    stop: (): void => variables?.abort.abort()
  }
}
