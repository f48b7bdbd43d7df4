import { Clock, Effect } from "effect"
import { encodeId } from "../../domain/Id.ts"
import { Reports, type ReportStream, reportStreams } from "../../port/repository/tenant/Reports.ts"
import { withSpan } from "../WithSpan.ts"
import { compareRows } from "./CountRows.ts"
import { idPrefixes } from "./FollowReports.ts"

/** The age of the oldest rows in a sample. */
const sampledDays = 7

/** The maximum number of rows of each stream in a sample. */
const maxSampledRows = 200

/** The result of comparing a sample of counted rows with a recount. */
export interface ReportSample {
  readonly tenantId: string
  readonly rows: number
  /** The number of rows whose stored facts differ. */
  readonly different: number
}

/** Compares the counted rows of the last days of a stream. */
const compareRecent = Effect.fnUntraced(function* (tenantId: string, stream: ReportStream) {
  const from = (yield* Clock.currentTimeMillis) - sampledDays * 86_400_000
  const { changes, ids } = yield* compareRows(tenantId, stream, {
    after: encodeId(idPrefixes[stream], from, new Uint8Array(10)),
    // All ids have the same length, so exactly the counted rows have smaller ids than the appended digit.
    before: `${yield* (yield* Reports).position(tenantId, stream)}0`,
    limit: maxSampledRows,
    subjectId: ""
  })
  const different = new Set([...changes.removed, ...changes.added].map(({ factId }) => factId))
  return { rows: ids.length, different: different.size }
})

const compareStreams = Effect.fnUntraced(function* (tenantId: string) {
  const compared = yield* Effect.forEach(reportStreams, (stream) => compareRecent(tenantId, stream))
  const sample: ReportSample = {
    tenantId,
    rows: compared.reduce((sum, { rows }) => sum + rows, 0),
    different: compared.reduce((sum, { different }) => sum + different, 0)
  }
  return sample
})

/**
 * Compares a sample of the counted rows of a tenant with a recount, and changes nothing. Returns null while a recount
 * waits, because its rows are expected to differ.
 */
export const sampleReports = Effect.fnUntraced(function* (tenantId: string) {
  const first = yield* compareStreams(tenantId)
  // A server may have counted between two reads, so a difference counts only if it stays.
  const sample = first.different === 0 ? first : yield* compareStreams(tenantId)
  return (yield* (yield* Reports).nextRecount(tenantId)) === null ? sample : null
}, withSpan("sampleReports"))
