import { useQuery } from "@tanstack/react-query"
import { useConnection } from "../app/Connection.ts"
import { useUserNames } from "../app/Users.ts"
import { nameOf } from "../text/Conditions.ts"
import { reportText } from "../text/Reports.ts"
import { text } from "../text/Shared.ts"
import type { Names } from "./ReportData.ts"

/** Returns the names of users, channels and stages. Ids are shown until they are read. */
export const useNames = (): Names => {
  const { client, tenantId } = useConnection()
  const users = useUserNames()
  const stages = useQuery({
    queryKey: [tenantId, "pipeline-names"] as const,
    queryFn: async ({ signal }) => {
      const { pipelines } = await client.pipelines.list(tenantId, { signal })
      return new Map(
        pipelines.flatMap((pipeline) => [
          [String(pipeline.pipeline_id), pipeline.name] as const,
          ...pipeline.stages.map(({ name, stage_id: id }) => [String(id), name] as const)
        ])
      )
    }
  })
  return {
    group: (group) =>
      group === null || group === ""
        ? reportText.unassigned
        : (users.get(group) ?? stages.data?.get(group) ?? nameOf(text.channels, group)),
    stage: (stage) => stages.data?.get(stage) ?? stage
  }
}
