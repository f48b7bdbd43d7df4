import { Row } from "../component/Page.tsx"
import { simulationText } from "../text/sequence/Simulation.ts"

interface ProgressProps {
  readonly isPending: boolean
  readonly isStopped: boolean
  readonly onStop: () => void
}

/** Whether a simulation runs, with the button that stops it, or was stopped. */
export const SimulationProgress = ({ isPending, isStopped, onStop }: ProgressProps) => (
  <>
    {isPending ? (
      <Row>
        <progress aria-label={simulationText.running} />
        <span role="status">{simulationText.running}</span>
        <button type="button" onClick={onStop}>
          {simulationText.stop}
        </button>
      </Row>
    ) : null}
    {isStopped ? <p role="status">{simulationText.stopped}</p> : null}
  </>
)
