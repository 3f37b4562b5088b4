#include <nettle/aes.h>
#include <nettle/cbc.h>
#include <nettle/nist-keywrap.h>
#include <nettle/pbkdf2.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>

// Swift doesn't import the name that nettle gives its function by a macro of its own.
static inline void storescope_aes256_cbc_decrypt(const struct aes256_ctx *key, uint8_t *iv, size_t length,
                                                 uint8_t *clear, const uint8_t *cipher) {
  cbc_decrypt(key, (nettle_cipher_func *)aes256_decrypt, AES_BLOCK_SIZE, iv, length, clear, cipher);
}
