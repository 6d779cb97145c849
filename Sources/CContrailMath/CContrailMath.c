#include "CContrailMath.h"
