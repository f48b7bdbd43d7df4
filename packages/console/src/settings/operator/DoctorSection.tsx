import type { DoctorFinding } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useConnection } from "../../app/Connection.ts"
import { Loaded } from "../../app/Loaded.tsx"
import { Section } from "../../component/Page.tsx"
import blocks from "../../design/Blocks.module.css"
import { operatorText } from "../../text/Operator.ts"

const { server: shown } = operatorText

/** The levels, the most urgent first. */
const levels = ["problem", "warning", "ok"] as const

const Finding = ({ finding: { advice, check, found, level } }: { readonly finding: DoctorFinding }) => (
  <li className={blocks.card}>
    <div>
      <strong className={level === "problem" ? blocks.error : undefined}>{shown.levels[level]}</strong> {check}
    </div>
    <div className={blocks.body}>{found}</div>
    {advice === null ? null : <div>{shown.advice(advice)}</div>}
  </li>
)

const Findings = ({ findings }: { readonly findings: ReadonlyArray<DoctorFinding> }) => {
  const byLevel = Map.groupBy(findings, ({ level }) => level)
  const [problems, warnings] = [byLevel.get("problem")?.length ?? 0, byLevel.get("warning")?.length ?? 0]
  return (
    <>
      <p role="status">{shown.summary(problems, warnings)}</p>
      <ul className={blocks.list} aria-label={shown.findings}>
        {levels
          .flatMap((level) => byLevel.get(level) ?? [])
          .map((finding) => (
            <Finding key={`${finding.check} ${finding.found}`} finding={finding} />
          ))}
      </ul>
    </>
  )
}

/** Runs the doctor on the server when the operator asks for it, because it starts a process there. */
export const DoctorSection = () => {
  const { client } = useConnection()
  const [isAsked, ask] = useState(false)
  const report = useQuery({
    queryKey: ["server", "doctor"],
    queryFn: ({ signal }) => client.deployment.doctor({ signal }),
    enabled: isAsked,
    gcTime: 0
  })
  return (
    <Section title={shown.doctor}>
      <p className={blocks.muted}>{shown.doctorNote}</p>
      <p>
        <button
          type="button"
          disabled={report.isFetching}
          onClick={() => (isAsked ? void report.refetch() : ask(true))}
        >
          {shown.examine}
        </button>
      </p>
      {isAsked ? <Loaded query={report}>{({ findings }) => <Findings findings={findings} />}</Loaded> : null}
    </Section>
  )
}
