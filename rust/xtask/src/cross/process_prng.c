/* What Rust's standard library asks Windows for since 1.78 and Wine 8 lacks: random bytes, from the older
   function that Wine has. Only tests under Wine load this; nothing of it ships. */
typedef unsigned char byte;
__declspec(dllimport) byte __stdcall SystemFunction036(void *buffer, unsigned long length);

__declspec(dllexport) int __stdcall ProcessPrng(byte *buffer, unsigned long long length) {
    while (length > 0) {
        unsigned long part = length > 65536 ? 65536 : (unsigned long)length;
        if (!SystemFunction036(buffer, part)) return 0;
        buffer += part;
        length -= part;
    }
    return 1;
}
