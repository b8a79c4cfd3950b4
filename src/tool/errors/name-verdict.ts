import { isRecord } from '../../schema/json-schema.ts'
import {
  ABSENT,
  BROKEN,
  BUSY,
  DEFECT,
  FORBIDDEN,
  LOCKED_OUT,
  LOST,
  MALFORMED,
  NEVER,
  TAKEN,
  THROTTLED,
  UNFIT,
  UNREACHED,
  UNUSABLE,
  verdict,
  type Verdict,
  WITHDRAWN,
  wordsFor,
} from './verdict.ts'

/** Errors of services that speak by names. Their HTTP status may say something else, such as 400 for too many requests. */
const SERVICE_NAMES = wordsFor([
  [THROTTLED, 'ThrottlingException Throttling ThrottledException TooManyRequestsException TooManyRequests RequestLimitExceeded SlowDown'],
  [
    THROTTLED,
    'ProvisionedThroughputExceededException RequestThrottled RequestThrottledException LimitExceededException PriorRequestNotComplete',
  ],
  [
    LOCKED_OUT,
    'UnrecognizedClientException InvalidSignatureException SignatureDoesNotMatch ExpiredToken ExpiredTokenException InvalidAccessKeyId',
  ],
  [LOCKED_OUT, 'InvalidClientTokenId CredentialsProviderError TokenProviderError MissingAuthenticationToken AuthFailure'],
  [FORBIDDEN, 'AccessDenied AccessDeniedException UnauthorizedOperation OptInRequired'],
  [ABSENT, 'ResourceNotFoundException NoSuchKey NoSuchBucket NoSuchUpload NoSuchEntity QueueDoesNotExist'],
  [
    TAKEN,
    'ConditionalCheckFailedException ResourceInUseException ResourceConflictException TransactionCanceledException BucketAlreadyExists',
  ],
  [TAKEN, 'BucketAlreadyOwnedByYou TransactionConflictException EntityAlreadyExists PreconditionFailed'],
  [MALFORMED, 'ValidationException InvalidParameterValue InvalidParameterException SerializationException'],
  [BUSY, 'ServiceUnavailable ServiceUnavailableException ModelNotReadyException KMSInternalException'],
  [LOST, 'RequestTimeout RequestTimeoutException'],
  [BROKEN, 'InternalServerException InternalFailure InternalError'],
])

/** Names of errors, and of their classes. */
const NAMES = wordsFor([
  [WITHDRAWN, 'AbortError APIUserAbortError CanceledError CancelError CancelledError CancellationError ResponseAborted'],
  [
    LOST,
    'ErrorEvent ToolTimeoutError TargetCloseError TimeoutError APIConnectionTimeoutError RequestTimeoutError MaxRetriesPerRequestError SocketTimeoutError',
  ],
  [LOST, 'APIConnectionError SocketClosedUnexpectedlyError DisconnectsClientError MongoNetworkTimeoutError MongoOperationTimeoutError'],
  [LOST, 'MongoNetworkError MongoWriteConcernError ConnectionClosedError SequelizeConnectionTimedOutError QueryTimeoutError'],
  [UNREACHED, 'ClientClosedError ClientOfflineError ConnectionTimeoutError ReconnectStrategyError MongoServerSelectionError'],
  [UNREACHED, 'MongoTopologyClosedError MongoNotConnectedError MongoClientClosedError NoLivingConnectionsError'],
  [
    UNREACHED,
    'MongoServerClosedError PoolClearedError MongoPoolClearedError MongoPoolClosedError WaitQueueTimeoutError MongoWaitQueueTimeoutError',
  ],
  [BROKEN, 'HTTPParserError AI_JSONParseError AI_InvalidResponseDataError AI_EmptyResponseBodyError AI_NoObjectGeneratedError'],
  [BROKEN, 'AI_NoOutputGeneratedError AI_NoContentGeneratedError AI_NoImageGeneratedError AI_TypeValidationError AI_UIMessageStreamError'],
  [ABSENT, 'AI_NoSuchToolError AI_NoSuchModelError AI_NoSuchProviderError AI_NoSuchProviderReferenceError'],
  [LOCKED_OUT, 'AI_LoadAPIKeyError AI_LoadSettingError UnauthorizedError InvalidClientError InvalidGrantError UnauthorizedClientError'],
  [FORBIDDEN, 'InsufficientScopeError AccessDeniedError JsonWebTokenError TokenExpiredError NotBeforeError'],
  [
    MALFORMED,
    'AI_InvalidToolInputError AI_InvalidArgumentError AI_InvalidPromptError AI_InvalidMessageRoleError AI_InvalidDataContentError',
  ],
  [MALFORMED, 'AI_MessageConversionError AI_TooManyEmbeddingValuesForCallError AI_MissingToolResultsError InvalidRequestError'],
  [UNFIT, 'ZodError $ZodError ZodRealError ValiError ValidationError StructError SchemaError TraversalError ArkErrors AssertError'],
  [MALFORMED, 'MongoInvalidArgumentError MongoParseError BSONError CastError'],
  [NEVER, 'AI_UnsupportedFunctionalityError AI_UnsupportedModelVersionError MaxRedirectsError'],
  [TAKEN, 'WatchError OptimisticLockError VersionError SequelizeOptimisticLockError'],
  [THROTTLED, 'RateLimitError RateLimiterRes'],
  [verdict('tool_failed', 'failed'), 'AssertionError YAMLParseError YAMLException CsvError MaxBufferError'],
  [
    DEFECT,
    'DataCloneError QuotaExceededError $ZodAsyncError $ZodEncodeError MissingRefError GraphValueError InvalidUpdateError CompileError',
  ],
  [UNUSABLE, 'InvalidCharacterError URIError ParserError LexerError'],
  [MALFORMED, 'ToolInputParsingException InvalidToolInputError'],
  [BROKEN, 'OutputParserException ModelBehaviorError'],
  [verdict('loop_exhausted', 'unknown'), 'MaxTurnsExceededError GraphRecursionError'],
])

/** Names of a `DOMException`: of errors of other kinds they may mean anything. */
const DOM_NAMES = wordsFor([
  [DEFECT, 'InvalidStateError InvalidAccessError NotSupportedError DataError'],
  [FORBIDDEN, 'NotAllowedError SecurityError'],
  [UNUSABLE, 'OperationError SyntaxError'],
  [ABSENT, 'NotFoundError'],
  [LOST, 'NetworkError'],
  [TAKEN, 'ConstraintError'],
])

/** A mistake in the tool's own code. */
const DEFECTS: ReadonlySet<unknown> = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'EvalError'])

type Thrown = Readonly<Record<string, unknown>>

/** By the name that a service gave its error: it says more than the status beside it. */
export function serviceNameVerdict({ name, $metadata, $fault }: Thrown): Verdict | undefined {
  return isRecord($metadata) || $fault !== undefined ? SERVICE_NAMES.get(name) : undefined
}

/** By the name of the error, or of its class. */
export function nameVerdict(thrown: Thrown): Verdict | undefined {
  const { name, constructor } = thrown
  const kind = typeof constructor === 'function' ? constructor.name : undefined
  return NAMES.get(name) ?? NAMES.get(kind) ?? (kind === 'DOMException' ? DOM_NAMES.get(name) : undefined) ?? processVerdict(thrown)
}

/** Programs that a tool has started: they ran out of time, or were ended by the tool or by somebody else. */
function processVerdict({ timedOut, isCanceled, killed, signal, cmd }: Thrown): Verdict | undefined {
  if (timedOut === true) return LOST
  if (isCanceled === true) return WITHDRAWN
  if (typeof signal !== 'string' || typeof cmd !== 'string') return undefined
  return killed === true ? LOST : BROKEN
}

/** The last resort: the kinds of the language itself. An answer that is no JSON is a fault of the service, and not of the tool. */
export function defectVerdict(thrown: Thrown): Verdict | undefined {
  const { name, message } = thrown
  if (!DEFECTS.has(name)) return undefined
  if (typeof message !== 'string') return DEFECT
  if (name === 'SyntaxError') return /\bJSON\b/.test(message) ? BROKEN : tellsAPlace(thrown) ? UNUSABLE : DEFECT
  return OF_VALUES.find(([, kind, pattern]) => kind === name && pattern.test(message))?.[0] ?? DEFECT
}

/** A parser says where the text is wrong that it was given; the language does not. */
function tellsAPlace(thrown: Thrown): boolean {
  return ['loc', 'pos', 'line', 'index'].some((key) => thrown[key] !== undefined)
}

/** Errors of the language that are about a value and not about the program. */
const OF_VALUES: readonly (readonly [Verdict, kind: string, RegExp])[] = [
  [LOST, 'TypeError', /^(?:fetch failed|Failed to fetch|terminated|NetworkError)\b/],
  [BROKEN, 'TypeError', /^(?:Content-Type was not one of|Failed to parse body as FormData)\b/],
  [UNUSABLE, 'TypeError', /\bis an invalid (?:header|HTTP)\b|\bincludes credentials\b|^Invalid \w+(?: \w+)?: /],
  [UNUSABLE, 'RangeError', /^(?:Incorrect locale|Cannot parse|Invalid (?:time|currency|language|unit|calendar|date|ISO))/i],
]
