/** The parts of the SDK that are used, behind one dynamic import: the build leaves out the rest. */
export { BedrockRuntimeClient, ConverseStreamCommand } from "@aws-sdk/client-bedrock-runtime";
