// The one function that programs written in Go take from bcryptprimitives.dll, for a Wine that does not have it: used by the test of the
// program for Windows alone, and in no release.
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG); // RtlGenRandom, in advapi32.dll

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return SystemFunction036(data, (ULONG)size); }
