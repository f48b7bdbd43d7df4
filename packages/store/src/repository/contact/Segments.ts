import { Segment, SegmentNotFound } from "@leadloom/core/internal/domain/segment/Segment"
import { Segments } from "@leadloom/core/internal/port/repository/contact/Segments"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const segments = table(Segment, { name: "segments", key: ["tenantId", "segmentId"] })

/** Stores segments in SQL. */
export const layer: Layer.Layer<Segments, never, Database> = Layer.effect(
  Segments,
  Effect.map(Database, ({ command, query }) => {
    const { all, one } = segments.reading({ query })
    // Ids sort by their time of creation.
    const list = all(`SELECT ${segments.columns} FROM segments WHERE tenant_id = ? ORDER BY segment_id`)
    const find = one(`SELECT ${segments.columns} FROM segments WHERE tenant_id = ? AND segment_id = ?`)
    const insert = command(segments.insert)
    const replace = command(segments.replace)
    const remove = command("DELETE FROM segments WHERE tenant_id = ? AND segment_id = ?")
    return Segments.of({
      list: (tenantId) => list(tenantId),
      get: (tenantId, segmentId) =>
        Effect.flatMap(find(tenantId, segmentId), (found) =>
          found === null ? Effect.fail(new SegmentNotFound({ segmentId })) : Effect.succeed(found)
        ),
      insert: (segment) => insert(...segments.values(segment)),
      update: (segment) => replace(...segments.changes(segment)),
      remove: (tenantId, segmentId) => remove(tenantId, segmentId)
    })
  })
)
