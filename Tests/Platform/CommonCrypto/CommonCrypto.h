// What CC_SHA256(3cc) of macOS documents and `Sources/Base` uses; see ../Darwin/Darwin.h.
typedef unsigned int CC_LONG;
typedef struct CC_SHA256state_st {
  CC_LONG count[2];
  CC_LONG hash[8];
  CC_LONG wbuf[16];
} CC_SHA256_CTX;
int CC_SHA256_Init(CC_SHA256_CTX *context);
int CC_SHA256_Update(CC_SHA256_CTX *context, const void *data, CC_LONG length);
int CC_SHA256_Final(unsigned char *digest, CC_SHA256_CTX *context);

// CCCrypt(3cc), CommonKeyDerivation.h and CommonSymmetricKeywrap.h
#include <stddef.h>
#include <stdint.h>
typedef int32_t CCCryptorStatus;
enum { kCCSuccess = 0 };
typedef uint32_t CCOperation;
enum { kCCEncrypt = 0, kCCDecrypt };
typedef uint32_t CCAlgorithm;
enum { kCCAlgorithmAES = 0 };
typedef uint32_t CCOptions;
CCCryptorStatus CCCrypt(CCOperation operation, CCAlgorithm algorithm, CCOptions options, const void *key,
                        size_t keyLength, const void *iv, const void *in, size_t inLength, void *out,
                        size_t outAvailable, size_t *outMoved);
typedef uint32_t CCPBKDFAlgorithm;
enum { kCCPBKDF2 = 2 };
typedef uint32_t CCPseudoRandomAlgorithm;
enum { kCCPRFHmacAlgSHA1 = 1, kCCPRFHmacAlgSHA256 = 3 };
int CCKeyDerivationPBKDF(CCPBKDFAlgorithm algorithm, const char *password, size_t passwordLength,
                         const uint8_t *salt, size_t saltLength, CCPseudoRandomAlgorithm hash, unsigned rounds,
                         uint8_t *key, size_t keyLength);
typedef uint32_t CCWrappingAlgorithm;
enum { kCCWRAPAES = 1 };
int CCSymmetricKeyUnwrap(CCWrappingAlgorithm algorithm, const uint8_t *iv, const size_t ivLength,
                         const uint8_t *key, size_t keyLength, const uint8_t *wrapped, size_t wrappedLength,
                         uint8_t *raw, size_t *rawLength);
