import { drainSends } from "@leadloom/testkit/suite/Scene"
import { LLMock } from "@copilotkit/aimock"
import { workDueSignals } from "@leadloom/core/internal/workflow/pipeline/WorkSignals"
import { startServer, type TestServer } from "./TestServer.ts"

/** The application with a third-party stand-in of a model server. */
export interface ModelServer extends TestServer {
  readonly model: LLMock
  /** Runs due signals and then due mail until none is left. Returns the number of signals. */
  readonly work: () => Promise<number>
}

/** The default classification and reply of the model. */
export const defaultClassification = {
  intent: "pricing",
  urgency: "medium",
  sentiment: "neutral",
  summary: "Asks for a price.",
  confidence: 0.9
}

/** Matches prompts that classify, and prompts that write a reply. */
export const toClassify = { systemMessage: /sort messages/u }
export const toWrite = { systemMessage: /write replies/u }

/** Makes the model answer every prompt. */
export const answerAll = (model: LLMock, reply = "We come on Monday and have a look."): void => {
  const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
  model.on(toClassify, { content: JSON.stringify(defaultClassification), usage, model: "gpt-test-1" })
  model.on(toWrite, { content: JSON.stringify({ text: reply }), usage, model: "gpt-test-1" })
}

/** Starts both. The timeout of a model request is long, so that a busy machine does not reach it. */
export const startModelServer = async (timeoutSeconds = 60): Promise<ModelServer> => {
  const model = new LLMock({ port: 0 })
  await model.start()
  const env = {
    LEADLOOM_LLM_BASE_URL: `${model.url}/v1`,
    LEADLOOM_LLM_API_KEY: "a-key-of-the-stand-in",
    LEADLOOM_LLM_MODEL: "gpt-test",
    LEADLOOM_LLM_TIMEOUT_SECONDS: String(timeoutSeconds),
    LEADLOOM_LIMIT_ADMIN: "100000",
    LEADLOOM_LIMIT_WEBHOOK: "100000"
  }
  const server = startServer(env)
  return {
    ...server,
    model,
    work: async () => {
      let worked = 0
      for (let taken = -1; taken !== 0; worked += taken) taken = await server.run(workDueSignals())
      await server.run(drainSends)
      return worked
    },
    close: async () => {
      await server.close()
      await model.stop()
    }
  }
}
