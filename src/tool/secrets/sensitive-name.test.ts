import { expect, test } from 'vitest'
import { isCredentialName, isSensitiveName } from './sensitive-name.ts'

const SECRETS = `
  password Password PASSWORD passwords password1 password_2 passwd pwd passphrase passcode pass dbPass smtp_pass
  newPassword confirm_password passwordConfirmation passwordHash user[password] dbpassword MYSQL_ROOT_PASSWORD
  secret secrets client_secret clientSecret clientsecret secretKey secretAccessKey webhookSecret jwt_secret
  apiKey api_key api-key apikey APIKEY APIKey ApiKeys x-api-key X-API-Key openaiApiKey
  token access_token accessToken ACCESS_TOKEN refreshToken refresh-token idToken sessionToken authToken x-auth-token csrfToken
  bearerToken bearer jwt GITHUB_TOKEN accesstoken accessTokens refresh_tokens oauth2Token token1 tokenValue
  authorization Authorization AUTHORIZATION proxy-authorization authorization_header auth basicAuth
  cookie Cookie cookies set-cookie Set-Cookie setCookie sessionCookie
  privateKey private_key sshKey signingKey encryptionKey accessKey masterKey
  credential credentials awsCredentials
  cvc cvv cvv2 cardCvc cardNumber card_number cardnumber creditCard creditCardNumber pin cardPin pinCode pinNumber
  otp otpCode totp verificationCode securityCode authCode recovery_codes ssn socialSecurityNumber iban
`

const PLAIN = `
  token_count tokenCount tokens maxTokens max_tokens inputTokens tokenBudget tokenLimit tokenizer tokenType tokenUrl tokensUsed
  nextPageToken page_token continuationToken stopToken
  passenger passengers passage passport compass bypass passing passRate passed boardingPass
  pinned pinning pins spin opinion mapping shipping pinterest
  secretary secretariat secretName secretId secret_arn
  cookieBanner cookieConsent cookiePolicy
  passwordPolicy passwordLength password_min passwordless passwordExpiresAt passwordStrength
  key keys keyboard keyword publicKey public_key primaryKey foreign_key cacheKey sortKey idempotencyKey monkey
  author authors authority authorId authorName authenticated authorizationUrl authMethod
  card cards businessCard cardHolder scorecard discard
  code zipCode postal_code countryCode errorCode statusCode discountCode barcode
  account accountNumber id name email user userId username note text
  bearerless unbearable cooking cookbook iron ribbon session sessionId credit
`

const words = (list: string): readonly string[] => list.trim().split(/\s+/)

test.each(words(SECRETS))('%s names a secret', (name) => {
  expect(isSensitiveName(name)).toBe(true)
})

test.each(words(PLAIN))('%s names no secret', (name) => {
  expect(isSensitiveName(name)).toBe(false)
})

test.each(words('iban payeeIban ssn cardNumber card_no creditCard social_security_number'))(
  '%s names a party, and no credential',
  (name) => {
    expect([isSensitiveName(name), isCredentialName(name)]).toEqual([true, false])
  },
)

test.each(words('password apiKey accessToken cvv pin cardPin card_code clientSecret'))('%s names a credential', (name) => {
  expect(isCredentialName(name)).toBe(true)
})

test('a name of any length is judged in no time', () => {
  const start = performance.now()
  for (const name of ['A'.repeat(1_000_000), `${'aB'.repeat(500_000)}Password`, `${'_'.repeat(1_000_000)}token`, 'pass'.repeat(250_000)]) {
    isSensitiveName(name)
  }
  expect(performance.now() - start).toBeLessThan(5000)
  expect(isSensitiveName(`${'x_'.repeat(10_000)}password`)).toBe(true)
})
