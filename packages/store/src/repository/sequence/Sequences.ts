import { Sequence, SequenceNotFound, SequenceVersion } from "@leadloom/core/internal/domain/sequence/Sequence"
import { Sequences } from "@leadloom/core/internal/port/repository/sequence/Sequences"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"
import { counting } from "./SequenceCounts.ts"

const sequences = table(Sequence, { name: "sequences", key: ["tenantId", "sequenceId"] })
const versions = table(SequenceVersion, { name: "sequence_versions", key: ["tenantId", "sequenceId", "version"] })

/** Stores sequences in SQL. */
export const layer: Layer.Layer<Sequences, never, Database> = Layer.effect(
  Sequences,
  Effect.map(Database, (database) => {
    const { by, command, query } = database
    const read = sequences.reading(database)
    const insert = command(sequences.insert)
    const replace = command(sequences.replace)
    const keep = command(versions.insert)
    const find = read.one(`SELECT ${sequences.columns} FROM sequences WHERE tenant_id = ? AND sequence_id = ?`)
    const ofRule = read.one(
      `SELECT ${sequences.columns} FROM sequences ${by("sequences_rule")} WHERE tenant_id = ? AND rule_id = ?`
    )
    const count = query<{ readonly count: number }>(
      `SELECT count(*) AS count FROM sequences ${by("sequences_active")} WHERE tenant_id = ? AND archived_at IS NULL AND rule_id IS NULL`
    )
    const page = read.all(
      `SELECT ${sequences.columns} FROM sequences ${by("sequences_active")}
        WHERE tenant_id = ? AND archived_at IS NULL AND rule_id IS NULL AND sequence_id > ? ORDER BY sequence_id LIMIT ?`
    )
    return Sequences.of({
      insert: (sequence) => insert(...sequences.values(sequence)),
      get: Effect.fnUntraced(function* (tenantId, sequenceId) {
        return (yield* find(tenantId, sequenceId)) ?? (yield* new SequenceNotFound({ sequenceId }))
      }),
      replace: (sequence) => replace(...sequences.changes(sequence)),
      ofRule,
      count: (tenantId) => Effect.map(count(tenantId), (rows) => Number(first(rows)?.count ?? 0)),
      page: (tenantId, limit, after) => page(tenantId, after ?? "", limit),
      ...counting(database),
      keep: (version) => keep(...versions.values(version)),
      version: versions
        .reading(database)
        .one(
          `SELECT ${versions.columns} FROM sequence_versions WHERE tenant_id = ? AND sequence_id = ? AND version = ?`
        )
    })
  })
)
